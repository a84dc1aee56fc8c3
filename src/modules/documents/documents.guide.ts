export const DOCUMENTS_GUIDE = `
Documents are made from types, approved, signed and followed up: agreements, orders, applications.

The usual order of calls:
1. list_document_types: a type's field_schema says which data_values a document needs. Only types with a published_version
   can be used.
2. create_document with type_code, title and data_values. missing_required_fields of the answer names what is still lacking.
3. submit_document. A type that requires approval goes to its approvers (state in_approval), any other is approved at once.
4. list_pending_approvals shows who must decide. act_on_document with APPROVE, REJECT or RETURN decides in the name of
   approver_email; the key must be bound to a member.
5. act_on_document with TRANSITION and a lifecycle_action (finalize, send, revoke, recall, supersede) moves it further. What
   requires approval is never finalized by a call: people, or the type's own setting, do that.
6. get_document_content gives the text as HTML or PDF, create_document_share_link a link for others.

allowed_actions of a document says what the key may do now; follow it rather than the state's name. A refused move is
400 invalid_transition with the states that would allow it, or 409 invalid_lifecycle with the transitions that exist.

Obligations come from documents in force: list_obligations, complete_obligation. summarize_document and
analyze_document_risks cost credits; the same text asked again is free unless force is true. A 502 is safe to repeat with the
same idempotency_key.
`.trim();
