import { afterAll, beforeAll } from '@jest/globals';
import { createTestApp, type TestApp } from '../../../test/kit/app.js';
import { describeModule, type Place } from '../../../test/kit/describe-module.js';
import { Store } from '../../kit/index.js';
import { DocumentsModule } from './documents.module.js';
import { makeType } from './types/document-type.factory.js';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const codes = new Map<string, Promise<string>>();

/** A published type of the organisation that asks for no approval: what is made of it can be submitted and finalized. */
function typeOf({ workspace }: Place): Promise<string> {
  const { organizationId } = workspace;
  const known = codes.get(organizationId) ?? makeType(app.app.get(Store), workspace.ctx()).then(({ code }) => code);
  codes.set(organizationId, known);
  return known;
}

describeModule(DocumentsModule, {
  app: () => app,
  samples: {
    create_document: async (place) => ({ project_id: place.project.id, type_code: await typeOf(place), title: `Document ${place.unique()}`, source_ref: 'order-1' }),
    submit_document: () => ({ comment: 'Please look at clause 4.' }),
    act_on_document: () => ({ action: 'TRANSITION', lifecycle_action: 'finalize', comments: 'Done' }),
    create_document_comment: ({ unique }) => ({ body: `Comment ${unique()}` }),
    create_document_share_link: () => ({ expires_days: 3, allow_download: true }),
    summarize_document: ({ unique }) => ({ raw_text: `The Customer shall pay. ${unique()}` }),
    analyze_document_risks: ({ unique }) => ({ raw_text: `The Customer shall indemnify the Supplier. ${unique()}` }),
  },
});
