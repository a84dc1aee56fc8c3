export const CRM_GUIDE = `
The CRM tracks people from first interest to a sale: a lead is a person who may become a customer, a contact is a person the
organization does business with, and a deal is a possible sale.

The usual order of calls:
1. get_crm_context for ids and keys: projects, pipelines, deal stages, lead statuses, sources, custom fields and members in
   one call. A section with has_more continues in its own list: list_crm_projects, list_pipelines, list_deal_stages,
   list_lead_statuses, list_lead_sources, list_crm_custom_fields, list_crm_members. Use only ids and keys that these return.
   They cover all projects of the key; project_id restricts them to one. A record created without project_id belongs to the
   key's project, or else to the default project.
2. list_leads, list_contacts or list_deals with q, email or external_id, to check whether the record exists.
3. update_lead to record progress. Leads come in through the lead webhook; no tool here creates one.
   get_acquisition_report counts leads by source, campaign and period.
4. convert_lead when a lead is qualified: it creates a contact, and a deal if one is given. A lead can be converted only
   once; a second attempt fails with 409 duplicate.
5. create_deal, then update_deal to move the deal through its stages. create_deal_note records what was said or agreed;
   read list_deal_notes before you continue a deal.

Teams name their stages and statuses; the kind says what each means: open, won or lost. For a lead, won is qualified and
lost is unqualified. To win or lose a deal, send a stage of that kind, or status won or lost. That sets closed_at;
reopening the deal clears it. lost_reason is for lost deals only.

Amounts are whole numbers in the currency's minor unit: 1250000 EUR is 12,500.00 euros. custom_fields is a JSON object,
never text; its keys are those of the active list_crm_custom_fields. Update tools empty one that clear names, such as
custom_fields.budget. Consent is true, false, or null when the person was never asked: leave a flag out unless the person
answered. Do not contact a person on a channel whose consent is false.

Updates change only the fields that are sent. Send the version you read as if_match to avoid overwriting another change.
`.trim();
