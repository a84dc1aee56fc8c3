import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { eventually } from '../../../test/harness/eventually.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import { describeModule } from '../../../test/contract/module/describe-module.js';
import type { SampleContext } from '../../../test/contract/module/module-samples.js';
import type { ObligationsService } from './workflow/obligations/obligations.service.js';
import type { Reports } from './analysis/reports/reports.service.js';
import { party } from './testing/signing-fixture.js';
import { makeType, type TypeInput } from './testing/document-types.js';

const app = await sharedApp();

let periods = 0;
const codes = new Map<string, Promise<string>>();
/** By organization. */
const fileTypes = new Map<string, Promise<string>>();
/** The files that samples have got. */
const named = new Set<string>();

/** The code of a published type, one for each organization. */
function codeOf(what: string, { workspace }: SampleContext, input: TypeInput): Promise<string> {
  const key = `${what} ${workspace.organizationId}`;
  const known = codes.get(key) ?? makeType(app, workspace.ctx(), input).then(({ code }) => code);
  codes.set(key, known);
  return known;
}

/** A type that asks for no approval: what is made of it can be submitted and finalized. */
const typeOf = (place: SampleContext) => codeOf('plain', place, {});

const ZONE = { page: 1, x: 0.1, y: 0.2, w: 0.3, h: 0.05, field: 'customer', kind: 'text', pattern: '^[A-Z]', anchor_text: 'Customer:' };

/** A type of the project whose zones were replaced once. */
async function makeZones({ workspace, project, client }: SampleContext): Promise<string> {
  const { id } = await makeType(app, workspace.ctx(), {
    project_id: project.id,
    field_schema: { type: 'object', properties: { customer: { type: 'string' } } },
  });
  await client.put(`/api/v1/ext/papers/types/${id}/zones`, [ZONE]);
  return id;
}

async function makeReport({ workspace, project, unique }: SampleContext): Promise<string> {
  const { id } = await app.service<Reports>('Reports').create(workspace.ctx(), {
    name: `Report ${unique()}`,
    dataset: 'documents',
    columns: ['number', 'title'],
    shared: true,
    project_id: project.id,
  });
  return id;
}

/** Something owed by a new document of the project. */
async function makeObligation(place: SampleContext): Promise<string> {
  const { workspace, project, mode, client, unique } = place;
  const { body: document } = await client.post('/api/v1/ext/papers/documents', {
    project_id: project.id,
    type_code: await typeOf(place),
    title: unique(),
  });
  const { id } = await app.service<ObligationsService>('ObligationsService').create(workspace.ctx(mode), {
    document_id: document.id,
    title: `Fee ${unique()}`,
    responsible: { side: 'us', name: null, email: null },
    due_on: '2099-12-31',
    recurrence: 'FREQ=YEARLY',
  });
  return id;
}

const PARTY_VALUES = { customer: 'Ada', customer_email: 'ada@example.com' };

const SIGNED: TypeInput = {
  field_schema: { type: 'object', properties: { customer: { type: 'string' }, customer_email: { type: 'string' } } },
  signature_parties: [party('customer')],
};

/** A type whose documents one party signs. */
const signedTypeOf = (place: SampleContext) => codeOf('signed', place, SIGNED);

/** One that has ended: a test compares it before and after calls that must not change it. */
async function makeBulkSend(place: SampleContext): Promise<string> {
  const sends = '/api/v1/ext/papers/bulk-sends';
  const { body } = await place.client.post(sends, {
    project_id: place.project.id,
    type_code: await signedTypeOf(place),
    rows: [{ title: place.unique(), data_values: PARTY_VALUES }],
  });
  await eventually(
    () => place.client.get(`${sends}/${body.id}`),
    ({ body: { status } }) => status === 'completed',
  );
  return body.id;
}

/** A document that a party is asked to sign. */
async function makeSent(place: SampleContext): Promise<string> {
  const { workspace, project, client, unique } = place;
  const code = await signedTypeOf(place);
  const data_values = PARTY_VALUES;
  const documents = '/api/v1/ext/papers/documents';
  const { body } = await client.post(documents, { project_id: project.id, type_code: code, title: unique(), data_values });
  for (const lifecycle_action of ['finalize', 'send'])
    await client.patch(`${documents}/${body.id}/workflow/status`, {
      action: 'TRANSITION',
      lifecycle_action,
      approver_email: workspace.owner.email,
    });
  return body.id;
}

const PDF = (await blankPdf()).toString('base64');

/** A file that no other document has. */
const pdfWith = (comment: string) => Buffer.concat([Buffer.from(PDF, 'base64'), Buffer.from(`%${comment}\n`)]).toString('base64');

async function blankPdf(): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage();
  return Buffer.from(await document.save());
}

let pictures = 0;

/** Each differs from the others: the same file twice is one picture. */
async function newPicture(): Promise<string> {
  const background = { r: ++pictures % 256, g: pictures >> 8, b: 0 };
  return (
    await sharp({ create: { width: 2, height: 2, channels: 3, background } })
      .png()
      .toBuffer()
  ).toString('base64');
}

/** A type whose documents consist of two files. Each upload is tried, which takes longer than most calls; these are uploaded once. */
function filesTypeOf(place: SampleContext): Promise<string> {
  const { organizationId } = place.workspace;
  const known = fileTypes.get(organizationId) ?? makeFilesType(place);
  fileTypes.set(organizationId, known);
  return known;
}

async function makeFilesType({ workspace }: SampleContext): Promise<string> {
  const { id, code } = await makeType(app, workspace.ctx(), SIGNED);
  const screen = await workspace.signIn();
  const path = `/api/v1/org/papers/types/${id}`;
  const { status, text } = await screen.put(`${path}/file`, { content_base64: PDF });
  const { status: added } = await screen.post(`${path}/files`, { content_base64: PDF, name: 'Annex' });
  const { status: published } = await screen.post(`${path}/publish`);
  if ([status, added, published].join() !== '200,201,201') throw new Error(`${status} ${text}, ${added}, ${published}`);
  return code;
}

/** A draft that consists of PDFs, with a party that can fill in their fields. */
async function makeWithFile(place: SampleContext): Promise<string> {
  const { project, client, unique } = place;
  const { body } = await client.post('/api/v1/ext/papers/documents', {
    project_id: project.id,
    type_code: await filesTypeOf(place),
    title: unique(),
    data_values: PARTY_VALUES,
  });
  return body.id;
}

/** One that was not named before. */
async function makeFurtherFile({ client, unique }: SampleContext, { id }: Readonly<Record<string, string>>): Promise<string> {
  const path = `/api/v1/ext/papers/documents/${id}`;
  const { files } = (await client.get(path)).body as { files: { id: string }[] };
  const unused = files.find((file) => !named.has(file.id));
  const { id: fileId } = unused ?? (await client.post(`${path}/files`, { content_base64: pdfWith(unique()), name: unique() })).body;
  named.add(fileId);
  return fileId;
}

/** A finalized document. */
async function makeFinal(place: SampleContext): Promise<string> {
  const { project, client, workspace, unique } = place;
  const documents = '/api/v1/ext/papers/documents';
  const { body } = await client.post(documents, { project_id: project.id, type_code: await typeOf(place), title: unique() });
  const action = { action: 'TRANSITION', lifecycle_action: 'finalize', approver_email: workspace.owner.email };
  await client.patch(`${documents}/${body.id}/workflow/status`, action);
  return body.id;
}

await describeModule(app, 'documents', {
  resources: {
    '/types/{id}': { make: makeZones, scoping: 'configuration' },
    '/documents/{id} remind_document': { make: makeSent },
    '/documents/{id} replace_document': { make: makeFinal },
    '/documents/{id} create_document_signing_link': { make: makeSent },
    '/documents/{id} create_org_document_share_link': { make: makeFinal },
    '/documents/{id} get_document_file': { make: makeWithFile },
    '/documents/{id} replace_document_file': { make: makeWithFile },
    '/documents/{id} replace_document_file_fields': { make: makeWithFile },
    '/documents/{id} add_document_file': { make: makeWithFile },
    '/documents/{id} delete_document_file': { make: makeWithFile },
    '/documents/{id}/files/{file_id}': { make: makeFurtherFile },
    '/bulk-sends/{id}': { make: makeBulkSend },
    '/obligations/{id}': { make: makeObligation },
    '/reports/{id}': { make: makeReport, scoping: 'configuration' },
  },
  scopings: { list_document_types: 'organization', list_org_document_types: 'organization', get_documents_context: 'organization' },
  // the key of a cache, which only those who have the text can use
  sharedByProjects: { summarize_document: ['raw_text'], analyze_document_risks: ['raw_text'] },
  varies: { get_report_data: ['generated_at'], get_org_report_data: ['generated_at'] },
  changedByJobs: ['document_bulk_sends', 'document_bulk_send_rows'],
  samples: {
    create_org_document_type: ({ unique }) => ({ code: `type_${unique()}` }),
    create_org_obligation: () => ({ responsible: { side: 'us', name: null, email: null } }),
    create_org_trigger: ({ unique }) => ({ title_template: `Agreement ${unique()}` }),
    create_org_form_bridge: () => ({ field_map: { full_name: 'answers.company', email: 'answers.company' } }),
    create_org_substitute: async ({ workspace }) => {
      // periods of one member must not overlap
      const day = new Date(Date.UTC(2030, 0, ++periods)).toISOString().slice(0, 10);
      return { substitute_email: (await workspace.member('member')).email, member_email: null, starts_on: day, ends_on: day };
    },
    create_org_report: () => ({ columns: ['number', 'title'] }),
    create_org_rule_pack: async (place) => ({
      rules: [
        {
          rule_id: 'gdpr-28',
          version: 1,
          title: 'Processing agreement',
          effective_on: '2026-01-01',
          type_codes: [await typeOf(place)],
          check: { kind: 'clause_required', pattern: 'data processing' },
          severity: 'critical',
        },
      ],
    }),
    replace_document_type_zones: () => ({ zones: [ZONE] }),
    create_document: async (place) => ({
      project_id: place.project.id,
      type_code: await typeOf(place),
      title: `Document ${place.unique()}`,
      source_ref: 'order-1',
    }),
    update_document: ({ unique }) => ({ title: `Document ${unique()}` }),
    submit_document: () => ({ comment: 'Please look at clause 4.' }),
    act_on_document: ({ workspace }) => ({
      action: 'TRANSITION',
      lifecycle_action: 'finalize',
      approver_email: workspace.owner.email,
      comments: 'Done',
    }),
    create_bulk_send: async (place) => ({
      project_id: place.project.id,
      type_code: await signedTypeOf(place),
      rows: [{ title: `NDA ${place.unique()}`, data_values: PARTY_VALUES, key: place.unique() }],
    }),
    create_document_signing_link: () => ({ party: 'customer' }),
    replace_document: ({ unique }) => ({ title: `Replacement ${unique()}` }),
    upload_document_image: async ({ project }) => ({ project_id: project.id, content_base64: await newPicture() }),
    add_document_file: ({ unique }) => ({ content_base64: pdfWith(unique()), name: unique() }),
    add_org_document_type_file: ({ unique }) => ({ content_base64: pdfWith(unique()), name: unique() }),
    replace_document_file: () => ({ content_base64: PDF }),
    replace_document_file_fields: () => ({
      fields: [{ key: 'signature', party: 'customer', kind: 'signature', page: 1, x: 0.1, y: 0.8, w: 0.3, h: 0.06 }],
    }),
    create_document_comment: ({ unique }) => ({ body: `Comment ${unique()}` }),
    generate_documents: ({ project, unique }) => ({
      project_id: project.id,
      event_type: 'shipment.arrived',
      payload: { number: unique() },
    }),
    create_document_share_link: () => ({ expires_days: 3, passcode: 'blue harbour', allow_download: true }),
    summarize_document: ({ unique }) => ({ raw_text: `The Customer shall pay. ${unique()}` }),
    analyze_document_risks: ({ unique }) => ({ raw_text: `The Customer shall indemnify the Supplier. ${unique()}` }),
  },
  readersMay: { extract_org_document_type_zones: 'It reads the file that is sent and stores nothing.' },
  // a leak that only these show passes the checks
  unreached: [
    'update_document files.id',
    'list_pending_approvals',
    'act_on_document decision_id',
    'act_on_document superseded_by_id',
    'get_document_file file_id',
    'replace_document_file file_id',
    'replace_document_file_fields file_id',
    'add_document_file from_document_id',
    'add_document_file removed_file_id',
    'list_document_obligations',
    'list_obligations responsible_email',
    'document.state in_approval',
    'document.state returned',
    'document.state rejected',
    'document.state partially_signed',
    'document.state executed',
    'document.state declined',
    'document.state expired',
    'document.state revoked',
    'document.state superseded',
    'obligation.status proposed',
    'obligation.status cancelled',
  ],
});
