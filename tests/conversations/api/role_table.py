"""Who may, by the contract: one line a route and method. `participant` always means: of its own conversations.

Written from the sentence "Who may" of the API's design, not from the views: routers read everything, auditors read
everything and do nothing, operators read conversations and act in handoffs, editors have flows and the guards' policy.
Beyond that sentence, and on purpose: an operator reads what an act of theirs depends on (flows, policy, personas,
catalogue, deliveries, which they also replay), migrates a conversation as the console's page lets them, and analyses a
recorded run, which stores nothing; the metrics are of conversations.
"""

ROLES = ("router", "participant", "editor", "auditor", "operator", "administrator")

TABLE = """
GET   relationships                                          router participant operator auditor
POST  relationships                                          router
GET   relationships/<uuid:relationship_id>                   router participant operator auditor
POST  relationships/<uuid:relationship_id>/intents           router participant
POST  relationships/<uuid:relationship_id>/responses         router participant
POST  relationships/<uuid:relationship_id>/close             router participant operator
POST  relationships/<uuid:relationship_id>/followups         router participant
GET   relationships/<uuid:relationship_id>/lineage           router participant operator auditor
POST  relationships/<uuid:relationship_id>/rating            router participant
GET   relationships/<uuid:relationship_id>/events            router participant operator auditor
POST  relationships/<uuid:relationship_id>/handoff           router operator
POST  relationships/<uuid:relationship_id>/takeover          operator
POST  relationships/<uuid:relationship_id>/turns             router
GET   relationships/<uuid:relationship_id>/runtime           router operator auditor
POST  relationships/<uuid:relationship_id>/facts             operator
POST  relationships/<uuid:relationship_id>/migrate           router operator
GET   relationships/<uuid:relationship_id>/dialogue          router operator auditor
GET   relationships/<uuid:relationship_id>/verify            router operator auditor
GET   relationships/<uuid:relationship_id>/export            router operator auditor
POST  ws-ticket                                              router participant editor operator auditor
POST  sweep                                                  router
GET   catalog/products                                       router operator auditor
POST  catalog/products                                       router
GET   handoffs                                               router operator auditor
GET   handoffs/<uuid:handoff_id>                             router operator auditor
POST  handoffs/<uuid:handoff_id>/claim                       operator
POST  handoffs/<uuid:handoff_id>/release                     operator
POST  handoffs/<uuid:handoff_id>/transfer                    operator
POST  handoffs/<uuid:handoff_id>/accept                      operator
POST  handoffs/<uuid:handoff_id>/decline                     operator
POST  handoffs/<uuid:handoff_id>/reply                       operator
POST  handoffs/<uuid:handoff_id>/note                        operator
POST  handoffs/<uuid:handoff_id>/return                      operator
POST  handoffs/<uuid:handoff_id>/resolve                     operator
GET   channels                                               router auditor administrator
POST  channels                                               router administrator
GET   deliveries                                             router operator auditor
POST  deliveries/<uuid:delivery_id>/replay                   router operator
GET   webhook-subscriptions                                  router auditor administrator
POST  webhook-subscriptions                                  router administrator
GET   webhook-subscriptions/<uuid:subscription_id>/notices   router auditor administrator
POST  webhook-subscriptions/<uuid:subscription_id>/notices/<int:notice_id>/replay  router administrator
GET   personas                                               router operator auditor
POST  personas                                               router
POST  threads/<path:key>/events                              router
GET   guards/policy                                          router editor operator auditor
PUT   guards/policy                                          editor
POST  guards/policy/backtest                                 editor
GET   guards/rollouts                                        router editor operator auditor
PUT   guards/rollouts/<slug:feature>                         editor
POST  loops/analyze                                          router editor operator
POST  relationships/<uuid:relationship_id>/steps             router
GET   flows                                                  router editor operator auditor
POST  flows                                                  editor
POST  flows/validate                                         editor
POST  flows/simulate                                         editor
GET   flows/<str:slug>                                       router editor operator auditor
PUT   flows/<str:slug>/draft                                 editor
POST  flows/<str:slug>/validate                              editor
POST  flows/<str:slug>/publish                               editor
POST  flows/<str:slug>/rollback                              editor
GET   flows/<str:slug>/versions                              router editor operator auditor
GET   flows/<str:slug>/versions/<int:version>                router editor operator auditor
GET   flows/<str:slug>/diff                                  router editor operator auditor
POST  flows/<str:slug>/explore                               editor
GET   flows/<str:slug>/explore/<uuid:job_id>                 router editor operator auditor
POST  relationships/<uuid:relationship_id>/loop-labels       router operator
GET   metrics/loops                                          router operator auditor
GET   metrics/flows/<slug:slug>                              router editor operator auditor
GET   metrics/relationships/<uuid:relationship_id>           router operator auditor
GET   audit/checkpoints                                      router auditor
GET   audit/verify                                           router auditor
"""

# Open to everybody: the contract's own description, and webhooks, which carry their signature instead of a key.
OPEN = frozenset(
    {
        ("GET", "schema"),
        ("GET", "docs"),
        ("POST", "webhooks/chatwoot/<str:inbox>"),
        ("POST", "webhooks/chatwoot/<str:inbox>/<str:secret>"),
        ("POST", "webhooks/slack/<str:workspace>"),
    }
)

Route = tuple[str, str]


def table() -> dict[Route, frozenset[str]]:
    """What an operator may, an administrator (an operator whose user has the admin rights) may, too."""
    rows = [line.split() for line in TABLE.strip().splitlines()]
    return {
        (method, path): frozenset(roles) | ({"administrator"} if "operator" in roles else set())
        for method, path, *roles in rows
    }
