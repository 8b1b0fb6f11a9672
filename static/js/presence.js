// Who is at a conversation, in words.

export function presenceWords(people, me) {
  return people.filter((person) => person.name !== me).map((person) => {
    const words = person.activity === "writing" ? gettext("%s is writing…") : gettext("%s is looking");
    return interpolate(words, [person.name]);
  }).join(" · ");
}
