import type { ConsoleSetting, ModuleContract } from '../../../../test/contract/module-contract.js';
import { eventually } from '../../../../test/harness/eventually.js';

export const contract: ModuleContract = {
  memberOperations: { list_lead_webhook_projects: ['list_org_projects'], submit_lead: ['create_org_lead', 'import_leads'] },
  emailFields: ['POST /api/v1/webhooks/leads email (string)'],
  consolePages,
};

async function consolePages({ workspace, owner, name }: ConsoleSetting): Promise<Record<string, string>> {
  const key = await workspace.key({ module: 'lead_webhook', project_id: workspace.eng.id });
  await key.client.post('/api/v1/webhooks/leads', { full_name: name, email: 'grace@example.com' });
  const read = async () => (await owner.get('/api/v1/org/developer/lead-webhook-logs')).body.data as { id: string }[];
  const [request] = await eventually(read, (rows) => rows.length > 0);
  return {
    '/console/lead-webhook/keys/:id': `/console/lead-webhook/keys/${key.id}`,
    '/console/lead-webhook/requests/:id': `/console/lead-webhook/requests/${request.id}`,
  };
}
