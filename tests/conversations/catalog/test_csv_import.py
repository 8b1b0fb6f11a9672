"""Products from a file: whole chunks or none of them, with the line of everything that is wrong."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from conversations.catalog_sources import csv_file
from conversations.catalog_sources.csv_file import CsvFile
from conversations.models import Product
from conversations.services.catalog_import import ImportReport, import_catalog

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "products.csv"


def imported(file: Path, text: str | bytes) -> ImportReport:
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return import_catalog(CsvFile(file))


def test_rows_become_products(file: Path) -> None:
    report = imported(
        file,
        "id,name,description,price,currency,url,tags\n"
        '1,"Robe, rouge","Longue\nen coton",199.50,MAD,https://shop.example/1,été|coton\n'
        "2,Chapeau,,,,,\n",
    )
    assert (report.imported, report.problem) == (2, None)
    robe = Product.objects.get(pk="1")
    assert (robe.name, robe.description, str(robe.price), robe.tags) == (
        "Robe, rouge",
        "Longue\nen coton",
        "199.5000",
        ["été", "coton"],
    )
    assert Product.objects.get(pk="2").price is None


@pytest.mark.parametrize("text", ["\ufeffname;id\nRobe;1\n", "NAME\tID\r\nRobe\t1\r\n", "id,name\n\n1,Robe\n\n"])
def test_a_byte_mark_other_delimiters_and_blank_lines_are_no_obstacle(text: str, file: Path) -> None:
    assert imported(file, text).imported == 1
    assert Product.objects.get().name == "Robe"


def test_a_chunk_with_a_bad_row_stays_out_whole_and_the_others_come_in(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_file, "CHUNK", 2)
    report = imported(file, "id,name,price\n1,One,1\n2,Two,2\n3,Three,dear\n4,Four,4\n5,Five,5\n")
    assert set(Product.objects.values_list("pk", flat=True)) == {"1", "2", "5"}
    assert report.imported == 3
    assert [each.where for each in report.refused] == ["line 4"]
    assert report.refused[0].reason.startswith("price: ")


def test_the_line_named_is_the_one_a_row_begins_on(file: Path) -> None:
    report = imported(file, b'id,name,description\n1,One,"two\nlines"\n2,,\n3,Three\n4,Fo\x00ur,\n5,caf\xe9,\n')
    assert [str(each) for each in report.refused] == [
        "line 4: name: Field required",
        "line 5: has 2 fields, the header 3",
        "line 6: is not UTF-8, or holds a NUL character",
        "line 7: is not UTF-8, or holds a NUL character",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no column id and no column name"),
        ("id,title\n1,x\n", "no column name"),
        ("id,name,colour\n1,x,y\n", "unknown column colour"),
        ("id,name,name\n1,x,y\n", "twice"),
        ('id,name\n1,"x\n', "line 2"),
        ("id,name\n1," + "x" * 30_000, "line 2"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_the_reason(text: str | bytes, told: str, file: Path) -> None:
    report = imported(file, text)
    assert told in str(report.problem)
    assert (report.imported, Product.objects.count()) == (0, 0)


def test_a_file_too_large_is_not_begun(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "MAX_BYTES", 10)
    assert "split it" in str(imported(file, "id,name\n1,Robe\n").problem)


def test_a_mended_file_is_read_from_its_beginning(file: Path) -> None:
    assert imported(file, 'id,name\n1,Old\n2,"broken\n').problem
    assert imported(file, "id,name\n1,New\n2,Mended\n").imported == 2
    assert Product.objects.get(pk="1").name == "New"


def test_the_command_prints_the_count_and_every_refusal(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("id,name\n1,Robe\n")
    call_command("import_catalog", "csv", str(file))
    assert capsys.readouterr().out == "1 products imported\n"
    file.write_text("id,name,price\n2,Hat,x\n")
    with pytest.raises(CommandError, match="1 not imported"):
        call_command("import_catalog", "csv", str(file))
    assert "line 2: price" in capsys.readouterr().err
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_catalog", "csv", str(file.with_name("gone.csv")))
