import { describeModule } from '../../../test/contract/module/describe-module.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import type { SampleContext } from '../../../test/contract/module/module-samples.js';
import type { LeadsService } from './crm.public.js';

const app = await sharedApp();

/** Leads come in through the webhook or the organization API, so no keyed route creates one. */
async function makeLead({ workspace, project, mode, unique }: SampleContext): Promise<string> {
  const tag = unique();
  const lead = await app
    .service<LeadsService>('LeadsService')
    .create(workspace.ctx(mode), { project_id: project.id, full_name: `Lead ${tag}`, email: `${tag}@example.com` });
  return lead.id;
}

async function leadPipeline({ client, project }: SampleContext): Promise<string> {
  const { body } = await client.get(`/api/v1/ext/crm/pipelines?project_id=${project.id}&kind=lead`);
  return body.data[0].id;
}

async function references({ client, project, workspace }: SampleContext) {
  const { body } = await client.get(`/api/v1/ext/crm/lead-sources?project_id=${project.id}`);
  return { owner_id: workspace.owner.id, source_id: (body.data as { id: string }[])[0].id };
}

const projectId = ({ project }: SampleContext) => ({ project_id: project.id });

await describeModule(app, 'crm', {
  resources: {
    '/leads/{id}': { make: makeLead },
    '/pipelines/{id}': { make: leadPipeline, scoping: 'configuration' },
  },
  anyMember: {
    list_org_crm_assignment_rules: 'Configuration without personal data.',
    get_org_crm_settings: 'Configuration without personal data.',
  },
  samples: {
    create_org_lead: ({ unique }) => ({ full_name: `Lead ${unique()}`, email: `${unique()}@example.com` }),
    update_lead: async (place) => ({
      job_title: `Title ${place.unique()}`,
      pipeline_id: await leadPipeline(place),
      ...(await references(place)),
    }),
    convert_lead: () => ({}),
    create_contact: async (place) => ({
      ...projectId(place),
      full_name: `Contact ${place.unique()}`,
      external_id: place.unique(),
      ...(await references(place)),
    }),
    update_contact: async (place) => ({ job_title: `Title ${place.unique()}`, ...(await references(place)) }),
    create_deal: async (place) => ({
      ...projectId(place),
      title: `Deal ${place.unique()}`,
      currency: 'EUR',
      expected_close_on: '2027-03-01',
      ...(await references(place)),
    }),
    update_deal: async (place) => ({ title: `Deal ${place.unique()}`, ...(await references(place)) }),
    create_deal_note: ({ unique }) => ({ body: `Note ${unique()}` }),
    list_deal_stages: projectId,
    list_pipelines: projectId,
    list_lead_statuses: projectId,
    list_lead_sources: projectId,
    list_crm_custom_fields: projectId,
  },
  // a leak that only these show passes the checks
  unreached: [
    'list_leads external_id',
    'convert_lead deal.pipeline_id',
    'convert_lead deal.stage_id',
    'convert_lead deal.owner_id',
    'convert_lead deal.source_id',
  ],
});
