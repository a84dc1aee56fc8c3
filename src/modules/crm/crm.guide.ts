export const CRM_GUIDE = `
The CRM follows people from first interest to a sale: a lead is somebody who may become a customer, a contact a person the
organisation does business with, a deal a sale that may come about.

The usual order of calls:
1. list_pipelines, then list_lead_statuses or list_pipeline_stages, list_lead_sources, list_crm_members and
   list_crm_custom_fields for the ids and keys that may be sent. Use only what these return. A key that is not bound to a
   project names one with project_id.
2. list_leads, list_contacts or list_deals with q, email or external_id, to see whether the record is there already.
3. update_lead as the work goes on. Leads come in through the lead webhook; no call here creates one.
4. convert_lead when a lead qualifies: it makes a contact, and a deal if one is given. A lead is converted once; again is
   409 duplicate.
5. create_deal, update_deal to move a deal through its stages.

Every stage and status has a name of the team's own and a kind that says what it means: open, won or lost. For a lead, won
is qualified and lost is unqualified. To win or lose a deal, send a stage of that kind or status won or lost; closed_at is
set then, and cleared when the deal is reopened. lost_reason is for lost deals only.

Amounts are whole numbers in the currency's minor unit: 1250000 EUR is 12,500.00 euros. custom_fields is a JSON object,
never text; its keys are those of list_crm_custom_fields, and null clears a value. Consent is true, false or, when the
person was never asked, null: leave a flag out unless the person answered. Nobody whose consent is false may be contacted
on that channel.

Updates change only what is sent. Send the version you read as if_match when another's change in between must not be lost.
`.trim();
