/** The operations that each module must have, by prefix; modules that do not exist yet are ignored. */
export const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  tasks: words(`
    list_projects get_project list_tasks get_task create_task update_task delete_task batch_tasks list_task_comments
    create_task_comment list_task_statuses list_task_priorities list_task_labels list_task_members
  `),
  desk: words(`
    list_tickets get_ticket create_ticket update_ticket list_ticket_messages reply_to_ticket add_ticket_note list_ticket_statuses
    list_ticket_priorities list_ticket_queues list_ticket_agents
  `),
  crm: words(`
    list_leads get_lead update_lead convert_lead list_contacts get_contact create_contact update_contact list_deals get_deal
    create_deal update_deal list_pipelines list_pipeline_stages list_lead_statuses list_lead_sources list_crm_members
    list_crm_custom_fields
  `),
  inventory: words(`
    list_items get_item create_item update_item list_stock_levels record_stock_movement transfer_stock create_stock_reservation
    release_stock_reservation list_stock_movements list_stock_locations list_stock_reasons
  `),
  storefront: words(`
    list_products get_product create_product update_product list_orders get_order fulfill_order cancel_order list_product_categories
    list_shipping_methods
  `),
  hr: words(`
    list_employees get_employee get_org_chart list_departments list_holidays list_absences list_leave_types list_leave_requests
    get_leave_request list_leave_balances
  `),
  accounting: words(`
    list_invoices get_invoice create_invoice update_invoice issue_invoice void_invoice record_payment list_journal_entries
    get_journal_entry create_journal_entry reverse_journal_entry get_trial_balance list_accounts list_tax_rates list_customers
    list_accounting_periods
  `),
  papers: words(`
    list_document_types create_document get_document list_document_comments list_document_obligations list_obligations
    submit_document list_pending_approvals act_on_document create_document_share_link generate_documents summarize_document
    analyze_document_risks list_document_type_zones replace_document_type_zones list_reports get_report get_report_data
  `),
  schedule: words(`
    list_calendars list_calendar_events list_calendar_resources get_calendar_availability list_event_templates list_bookings
    get_booking create_event get_event update_event delete_event list_event_invitees add_event_invitees remove_event_invitee
  `),
};

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
