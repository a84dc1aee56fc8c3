import { afterAll, beforeAll } from '@jest/globals';
import { createTestApp, type TestApp } from '../../../test/kit/app.js';
import { describeModule } from '../../../test/kit/describe-module.js';
import type { SampleContext } from '../../../test/kit/module-samples.js';
import { CrmModule } from './crm.module.js';
import { LeadsService } from './crm.public.js';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Leads come in through the webhook or the organization API, so no keyed route creates one. */
async function makeLead({ workspace, project, mode, unique }: SampleContext): Promise<string> {
  const tag = unique();
  const lead = await app.app
    .get(LeadsService)
    .create(workspace.ctx(mode), { project_id: project.id, full_name: `Lead ${tag}`, email: `${tag}@example.com` });
  return lead.id;
}

async function leadPipeline({ client, project }: SampleContext): Promise<string> {
  const { body } = await client.get(`/api/v1/ext/crm/pipelines?project_id=${project.id}&kind=lead`);
  return body.data[0].id;
}

const projectId = ({ project }: SampleContext) => ({ project_id: project.id });

describeModule(CrmModule, {
  app: () => app,
  resources: {
    '/leads/{id}': { make: makeLead },
    '/pipelines/{id}': { make: leadPipeline, scoping: 'configuration' },
  },
  samples: {
    update_lead: ({ unique }) => ({ job_title: `Title ${unique()}` }),
    convert_lead: () => ({}),
    create_contact: (place) => ({ ...projectId(place), full_name: `Contact ${place.unique()}` }),
    update_contact: ({ unique }) => ({ job_title: `Title ${unique()}` }),
    create_deal: (place) => ({ ...projectId(place), title: `Deal ${place.unique()}`, currency: 'EUR' }),
    update_deal: ({ unique }) => ({ title: `Deal ${unique()}` }),
    list_pipelines: projectId,
    list_lead_statuses: projectId,
    list_lead_sources: projectId,
    list_crm_custom_fields: projectId,
  },
});
