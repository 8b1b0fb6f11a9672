"""`/catalog/products` and the state of a dialogue."""

from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conversations.api import driver_answers as answers
from conversations.api import roles
from conversations.api.pagination import PAGING, limit_of, page_of
from conversations.api.representations import product_json
from conversations.models import Product
from conversations.selectors.dialogues import dialogue_of
from conversations.selectors.products import found
from conversations.selectors.relationships import relationship_for
from conversations.services.catalog import upsert_products


class ProductsView(APIView):
    roles = {"GET": roles.READERS, "POST": roles.ROUTERS}

    @extend_schema(parameters=[*PAGING, OpenApiParameter("q", str)], responses=answers.ProductPage)
    def get(self, request: Request) -> Response:
        if query := request.query_params.get("q"):
            products = found(query, limit=limit_of(request))
            return Response({"results": [product_json(each) for each in products], "next": None})
        page = page_of(Product.objects.all(), request, order=("updated_at", "id"), as_json=product_json)
        return Response(page)

    @extend_schema(request=answers.Products, responses=answers.UpsertAnswer)
    def post(self, request: Request) -> Response:
        products = answers.Products.model_validate(request.data).root
        return Response({"upserted": upsert_products(products)})


class DialogueView(APIView):
    roles = {"GET": roles.READERS}

    @extend_schema(responses=answers.DialogueAnswer)
    def get(self, request: Request, relationship_id: UUID) -> Response:
        return Response(dialogue_of(relationship_for(request.auth, relationship_id))[0])
