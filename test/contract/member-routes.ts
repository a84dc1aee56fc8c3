/** Keyed operations for which members have a route of another name, with its operations. */
export const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  list_crm_projects: ['list_org_projects'],
  list_lead_webhook_projects: ['list_org_projects'],
  list_pipelines: ['list_org_crm_pipelines'],
  list_pipeline_stages: ['list_org_crm_stages'],
  list_lead_sources: ['list_org_crm_sources'],
  submit_lead: ['create_org_lead', 'import_leads'],
  // one call for keys, one each for members
  act_on_document: [
    'decide_org_document',
    'recall_org_document',
    'finalize_org_document',
    'send_org_document',
    'revoke_org_document',
    'supersede_org_document',
  ],
};

/** Keyed operations without a route for members, each with the reason. */
export const WITHOUT_ROUTE: Readonly<Record<string, string>> = {
  get_tasks_context: 'For agents: several look-ups at once, which members call one by one.',
  get_crm_context: 'For agents: several look-ups at once, which members call one by one.',
  get_documents_context: 'For agents: several look-ups at once, which members call one by one.',
  get_accounting_context: 'For agents: several look-ups at once, which members call one by one.',
  get_schedule_context: 'For agents: several look-ups at once, which members call one by one.',
  get_inventory_context: 'For agents: several look-ups at once, which members call one by one.',
  get_storefront_context: 'For agents: several look-ups at once, which members call one by one.',
  get_desk_context: 'For agents: several look-ups at once, which members call one by one.',
};
