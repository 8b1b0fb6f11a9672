"""Who may use which address of the console: one line a method. Everybody means: whoever has any role."""

from conversations.access import EVERYBODY, ConsoleRole

TABLE = """
GET    home                              everybody
GET    home_now                          everybody
GET    live                              everybody
GET    live_rows                         everybody
POST   live_close                        operator
POST   live_label                        operator
POST   live_save_view                    everybody
POST   live_forget_view                  everybody
GET    conversation                      everybody
GET    conversation_news                 everybody
POST   conversation_takeover             operator
POST   conversation_handoff              operator
POST   conversation_close                operator
POST   conversation_followup             operator
POST   conversation_facts                operator
POST   conversation_steer                operator
POST   conversation_migrate              operator
GET    inbox                             everybody
GET    inbox_queue                       everybody
GET    chat                              everybody
GET    chat_news                         everybody
POST   inbox_claim                       operator
POST   inbox_release                     operator
POST   inbox_transfer                    operator
POST   inbox_accept                      operator
POST   inbox_decline                     operator
POST   inbox_reply                       operator
POST   inbox_note                        operator
POST   inbox_return                      operator
POST   inbox_resolve                     operator
GET    two_factor_code                   everybody
POST   two_factor_code                   everybody
GET    two_factor_enrol                  everybody
POST   two_factor_enrol                  everybody
GET    settings                          everybody
GET    settings_participants             everybody
GET    settings_personas                 everybody
POST   settings_personas
GET    settings_persona                  everybody
POST   settings_persona
GET    settings_channels                 everybody
POST   settings_channels
GET    settings_channel                  everybody
POST   settings_channel
POST   settings_channel_test
POST   settings_channel_switch
GET    settings_deliveries               operator auditor
GET    settings_delivery                 operator auditor
POST   settings_delivery_replay          operator
GET    settings_subscriptions            operator auditor
POST   settings_subscriptions
GET    settings_subscription             operator auditor
POST   settings_subscription
POST   settings_subscription_test
POST   settings_subscription_switch
POST   settings_notice_replay
GET    guards                            everybody
POST   guards                            editor
GET    guards_history                    everybody
GET    guards_activity                   everybody
GET    guards_rollout                    everybody
POST   guards_rollout                    editor
GET    settings_people                   auditor
POST   settings_people
GET    settings_person                   auditor
POST   settings_person_link
POST   settings_person_set_roles
POST   settings_person_disable
POST   settings_person_enable
POST   settings_person_reset_two_factor
GET    settings_keys                     auditor
POST   settings_keys
POST   settings_key_revoke
GET    settings_canned                   everybody
POST   settings_canned                   operator editor
POST   settings_canned_save              operator editor
POST   settings_canned_remove            operator editor
GET    settings_two_factor               everybody
POST   settings_recovery_codes           everybody
POST   settings_two_factor_off           everybody
GET    flows                             everybody
POST   flows                             editor
GET    flows-in-use                      everybody
GET    flow-figures                      everybody
GET    flow                              everybody
POST   flow-check                        everybody
GET    flow-draft                        everybody
POST   flow-draft                        editor
POST   flow-try                          everybody
GET    flow-scripts                      everybody
POST   flow-scripts                      editor
DELETE flow-scripts                      editor
GET    flow-explore                      everybody
POST   flow-explore                      editor
GET    flow-explore-job                  everybody
GET    flow-versions                     everybody
GET    flow-version                      everybody
POST   flow-publish                      editor
POST   flow-rollback                     editor
POST   flow-diff                         everybody
GET    metrics                           everybody
GET    metric_conversations              everybody
GET    audit                             auditor
GET    audit_people                      auditor
GET    audit_person                      auditor
GET    audit_trail                       auditor
GET    audit_lineage                     auditor
GET    audit_verify                      everybody
GET    audit_export                      auditor operator
GET    audit_export_lineage              auditor operator
POST   audit_erase
GET    audit_verification                everybody
POST   audit_verification                auditor
GET    audit_verification_news           everybody
GET    audit_checkpoints                 auditor
GET    audit_period                      auditor
GET    audit_retention                   auditor
POST   audit_retention
GET    audit_verifier                    everybody
GET    audit_verifier_file               everybody
GET    accuracy                          everybody
GET    labelling                         operator auditor
POST   labelling                         operator
POST   label                             operator
"""

Route = tuple[str, str]


def table() -> dict[Route, frozenset[str]]:
    """An administrator may everything, and is in no line."""
    rows = [line.split() for line in TABLE.strip().splitlines()]
    return {
        (method, name): EVERYBODY if roles == ["everybody"] else frozenset({*roles, ConsoleRole.ADMIN})
        for method, name, *roles in rows
    }
