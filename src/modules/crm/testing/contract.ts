import type { LargeBodies, ModuleContract } from '../../../../test/contract/module-contract.js';
import type { TestApp } from '../../../../test/harness/test-app.js';
import type { Workspace } from '../../../../test/harness/workspace.js';

export const contract: ModuleContract = {
  operations: `
    list_leads get_lead update_lead convert_lead list_contacts get_contact create_contact update_contact list_deals get_deal
    create_deal update_deal list_pipelines list_pipeline_stages list_lead_statuses list_lead_sources list_crm_members
    list_crm_custom_fields
  `,
  memberOperations: {
    list_crm_projects: ['list_org_projects'],
    list_pipelines: ['list_org_crm_pipelines'],
    list_pipeline_stages: ['list_org_crm_stages'],
    list_lead_sources: ['list_org_crm_sources'],
  },
  withoutUndo: [
    'delete_org_crm_assignment_rule',
    'delete_org_crm_custom_field',
    'delete_org_crm_pipeline',
    'delete_org_crm_source',
    'delete_org_crm_stage',
  ],
  emailFields: [
    'PATCH /api/v1/ext/crm/contacts/{id} email (email)',
    'PATCH /api/v1/ext/crm/leads/{id} email (email)',
    'PATCH /api/v1/org/crm/contacts/{id} email (email)',
    'PATCH /api/v1/org/marketing/leads/{id} email (email)',
    'POST /api/v1/ext/crm/contacts email (email)',
    'POST /api/v1/org/crm/contacts email (email)',
    'POST /api/v1/org/marketing/leads email (email)',
  ],
  largeBodies,
};

async function largeBodies(_app: TestApp, workspace: Workspace): Promise<LargeBodies> {
  const owner = await workspace.signIn();
  const make = async (path: string, body: object) => {
    const response = await owner.post(`/api/v1/org/${path}`, { project_id: workspace.eng.id, ...body });
    if (response.status !== 201) throw new Error(`${path}: ${response.text}`);
    return response.body.id as string;
  };
  return {
    resources: {
      '/leads/': await make('marketing/leads', { full_name: 'Ada', email: 'ada@x.example' }),
      '/contacts/': await make('crm/contacts', { full_name: 'Ada' }),
      '/deals/': await make('crm/deals', { title: 'Deal', currency: 'EUR' }),
    },
  };
}
