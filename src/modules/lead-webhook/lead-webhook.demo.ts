import type { ModuleDemo } from '../../kit/index.js';

export const LEAD_WEBHOOK_DEMO: ModuleDemo = {
  // the leads are in the sample data of the CRM
  seed: () => Promise.resolve(),
  firstCall: {
    text: 'Submit a lead',
    scope: 'lead_webhook:lead:write',
    path: '/api/v1/webhooks/leads',
    body: (project_id) => ({
      project_id,
      full_name: 'Edith Clarke',
      email: 'edith.clarke@powerlines.example',
      company_name: 'Powerlines Ltd',
    }),
  },
};
