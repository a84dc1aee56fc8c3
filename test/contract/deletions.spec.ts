import { expect, test } from '@jest/globals';
import { sharedApp } from '../harness/hosted-app.js';

const app = await sharedApp();

/** Rows of configuration, which records that refer to them protect. */
const CONFIGURATION = `
  delete_org_account delete_org_tax_rate
  delete_org_crm_pipeline delete_org_crm_stage delete_org_crm_assignment_rule delete_org_crm_custom_field delete_org_crm_source
  delete_org_business_hours delete_org_desk_mailbox delete_org_sla_policy delete_org_canned_response delete_org_ticket_agent
  delete_org_ticket_queue delete_org_ticket_status delete_org_ticket_view
  delete_org_report delete_org_form_bridge delete_org_form delete_org_trigger delete_org_substitute
  delete_org_document_type_file remove_org_document_type_file
  delete_org_holiday delete_org_holiday_calendar delete_org_leave_type
  delete_org_stock_location delete_org_stock_reason
  delete_org_calendar_override delete_org_resource_availability delete_org_resource_override delete_org_booking_page
  delete_org_calendar delete_org_calendar_feed delete_org_calendar_resource delete_org_event_template
  delete_org_product_category delete_org_sales_channel delete_org_shipping_method delete_org_storefront_tax_rate
  delete_org_task_label delete_org_task_status
  delete_org_custom_field delete_webhook_endpoint delete_developer_endpoint`;
/** Access that must end at once, sessions, and what is deleted for good on purpose. */
const ACCESS = `
  withdraw_invitation delete_api_key reset_member_second_factor delete_role remove_second_factor delete_session end_session
  erase_org_deleted_record`;

test('the guide says of each deletion what takes it back, and only configuration and access cannot be restored', async () => {
  const guide = await (await fetch(`${app.url}/docs/guides/undo.md`)).text();
  const rows = [...guide.matchAll(/^\| [^|]+ \| [^|]+: `(\w+)` \| ([^|]+) \|$/gm)].map(([, deletion, back]) => [deletion, back] as const);
  const found = Object.fromEntries(rows.filter(([, back]) => back !== 'nothing'));
  expect(found).toEqual({
    delete_task: '`restore_task`, for 30 days',
    delete_org_lead: '`restore_org_lead`, for 30 days',
    delete_document: '`restore_document`, for 30 days',
    delete_document_file: '`add_document_file` with `removed_file_id`, for 30 days',
    revoke_org_document_share_link: '`create_document_share_link`, anew',
    delete_event: '`restore_event`, for 30 days',
    remove_event_invitee: '`add_event_invitees`, anew',
    release_stock_reservation: '`create_stock_reservation`, anew',
    delete_org_discount: '`restore_org_discount`, for 30 days',
    delete_org_department: '`restore_org_department`, for 30 days',
  });
  const others = rows.filter(([, back]) => back === 'nothing').map(([deletion]) => deletion);
  const listed = `${CONFIGURATION} ${ACCESS}`.trim().split(/\s+/);
  expect(others.filter((deletion) => !listed.includes(deletion))).toEqual([]);
  expect(listed.filter((deletion) => !others.includes(deletion))).toEqual([]);
});
