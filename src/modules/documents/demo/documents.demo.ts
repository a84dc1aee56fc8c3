import { hash } from 'node:crypto';
import { DAY_MS, Store, type Ctx, type DemoPerson, type DemoWorkspace, type ModuleDemo } from '../../../kit/index.js';
import { DocumentsService } from '../workflow/authoring/documents.service.js';
import { uuidv7 } from 'uuidv7';
import { entryOf, FurtherFiles } from '../workflow/files/further-files.service.js';
import { DocumentFiles } from '../workflow/files/document-files.service.js';
import { FormsService } from '../automation/forms/forms.service.js';
import { TriggersService } from '../automation/triggers/triggers.service.js';
import { ObligationsService } from '../workflow/obligations/obligations.service.js';
import { DocumentTypesQuery } from '../types/document-types.dto.js';
import { DocumentTypesService } from '../types/document-types.service.js';
import { Submission } from '../workflow/transitions/submission.service.js';
import { WorkflowActions } from '../workflow/actions/workflow-actions.service.js';
import { DOCUMENT_SAMPLES, DRAFT_TO_SUBMIT, type DocumentSample, type DocumentStep } from './document-samples.js';
import { CUSTOMER_AGREEMENT } from './document-types/customer-agreement.js';
import { CUSTOMER_INVOICE } from './document-types/customer-invoice.js';
import { SIGNATORY, type DemoDocumentType } from './document-types/demo-document-type.js';
import { JAPANESE_ORDER } from './document-types/japanese-order.js';
import { MUTUAL_NDA } from './document-types/mutual-nda.js';
import { SALES_QUOTE } from './document-types/sales-quote.js';
import { SERVICE_CONTRACT } from './document-types/service-contract.js';
import { SUPPLIER_INTAKE } from './document-types/supplier-intake.js';
import { DECLARATION_FIELDS, declarationPdf, PLAN_FIELDS, planPdf, VISITOR_DECLARATION } from './document-types/visitor-declaration.js';

/** The slug of the public form. */
const SUPPLIER_FORM = 'supplier-application';

const TYPES: readonly DemoDocumentType[] = [
  CUSTOMER_AGREEMENT,
  CUSTOMER_INVOICE,
  SALES_QUOTE,
  MUTUAL_NDA,
  SERVICE_CONTRACT,
  JAPANESE_ORDER,
  SUPPLIER_INTAKE,
  VISITOR_DECLARATION,
];

/** Published document types, triggers, a public form, and documents in many states. */
export const DOCUMENTS_DEMO: ModuleDemo = {
  last: true,
  // documents need approvers, who must be members, in both modes
  boundKeys: { role: 'admin', modes: ['test', 'live'] },
  addresses: [{ name: 'form', label: 'Form', path: `/f/${SUPPLIER_FORM}` }],
  async seed(demo) {
    const project = demo.project('OPS');
    if (demo.isNew) await setUp(demo, project.id);
    for (const mode of demo.modes) {
      await addDeclaration(demo, demo.as('mei', mode), project.id);
      for (const sample of DOCUMENT_SAMPLES[mode]) await createDocument(demo, (name) => demo.as(name, mode), project.id, sample);
    }
  },
  fits: {
    submit_document: { state: 'draft', title: DRAFT_TO_SUBMIT },
    act_on_document: { state: 'in_approval' },
    remind_document: { state: 'in_approval' },
    replace_document: { state: ['finalized', 'executed', 'expired'] },
    create_document_signing_link: { state: ['sent', 'partially_signed'] },
    get_document_file: { type: { code: VISITOR_DECLARATION.type.code } },
    replace_document_file_fields: { type: { code: VISITOR_DECLARATION.type.code } },
    delete_document_file: { type: { code: VISITOR_DECLARATION.type.code } },
  },
  sends: {
    act_on_document: { approver_email: 'approval.pending.0.approver.email' },
    remind_document: { email: 'approval.pending.0.approver.email' },
    create_document_signing_link: { party: 'signature.parties.0.key' },
    replace_document_file_fields: { 'fields.party': 'signature.parties.0.key' },
  },
  /** Complete values for each published document type. */
  async samples(demo) {
    const query = Object.assign(new DocumentTypesQuery(), { limit: 100, code: TYPES.map(({ type }) => type.code) });
    const { data } = await demo.get(DocumentTypesService).page(demo.asSystem(), query);
    const published = new Set(data.flatMap(({ code, published_version }) => (published_version === null ? [] : [code])));
    return Object.fromEntries(TYPES.filter(({ type }) => published.has(type.code)).map(({ type, sample }) => [type.code, sample]));
  },
};

async function setUp(demo: DemoWorkspace, projectId: string): Promise<void> {
  const ctx = demo.as('grace', 'live');
  const types = await publishTypes(demo, ctx);
  await addDealTrigger(demo, ctx, types);
  await addInvoiceTrigger(demo, ctx, types);
  await addSupplierForm(demo, ctx, types, projectId);
}

/** Returns the ids of the types by code. */
async function publishTypes(demo: DemoWorkspace, ctx: Ctx): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { type } of TYPES) {
    const { id } = await demo.get(DocumentTypesService).create(ctx, type);
    await demo.get(DocumentTypesService).publish(ctx, id);
    ids.set(type.code, id);
  }
  return ids;
}

/** Creates an agreement for each won deal. */
async function addDealTrigger(demo: DemoWorkspace, ctx: Ctx, types: ReadonlyMap<string, string>): Promise<void> {
  await demo.get(TriggersService).create(ctx, {
    name: 'Agreement for each won deal',
    event_type: 'deal.won',
    document_type_id: types.get(CUSTOMER_AGREEMENT.type.code) as string,
    title_template: 'Agreement: {{deal.title}}',
    auto_submit: true,
    source_map: {
      // a deal may have no contact: the approver then sees the placeholder and returns the document
      customer_name: { path: 'deal.contacts.0.company_name', default: 'Customer to be named' },
      contact_name: 'deal.contacts.0.full_name',
      contact_email: 'deal.contacts.0.email',
      contact_phone: 'deal.contacts.0.phone',
      subject: 'deal.title',
      amount: 'deal.amount',
      currency: 'deal.currency',
      starts_on: { path: 'deal.closed_at', transform: 'date' },
      our_signatory: { const: SIGNATORY.our_signatory },
      our_signatory_email: { const: SIGNATORY.our_signatory_email },
    },
  });
}

/** A draft that consists of two existing PDFs, ready to be submitted, finalized and sent. */
async function addDeclaration(demo: DemoWorkspace, ctx: Ctx, project_id: string): Promise<void> {
  const { type, sample } = VISITOR_DECLARATION;
  const document = await demo.get(DocumentsService).create(ctx, {
    project_id,
    type_code: type.code,
    title: 'Visit of Hoshi Ceramics to the warehouse',
    data_values: sample,
  });
  const fileOf = ({ pdf, lines }: ReturnType<typeof declarationPdf>) => ({
    pdf,
    pdf_object_id: null,
    sha256: hash('sha256', pdf),
    page_texts: [lines],
    form_fields: [],
    earlier_signatures: [],
    values: [],
  });
  const emergency = fileOf(planPdf());
  const plan = { ...emergency, id: uuidv7(), name: 'Emergency plan', bytes: emergency.pdf.length, fields: [...PLAN_FIELDS] };
  await demo.get(Store).write(ctx, async (tx) => {
    await demo.get(DocumentFiles).add(tx, document, { ...fileOf(declarationPdf()), fields: [...DECLARATION_FIELDS] });
    await demo.get(FurtherFiles).insert(tx, document, plan);
    await tx.update(document, { files: [entryOf(plan)] });
  });
}

/** Makes the PDF of each invoice that accounting issues from now on. */
async function addInvoiceTrigger(demo: DemoWorkspace, ctx: Ctx, types: ReadonlyMap<string, string>): Promise<void> {
  await demo.get(TriggersService).create(ctx, {
    name: 'PDF of each issued invoice',
    event_type: 'invoice.issued',
    document_type_id: types.get(CUSTOMER_INVOICE.type.code) as string,
    title_template: 'Invoice {{invoice.number}}: {{invoice.customer_snapshot.name}}',
    auto_finalize: true,
    source_map: {
      invoice_number: 'invoice.number',
      customer_name: { path: 'invoice.customer_snapshot.name', default: 'Customer' },
      customer_address: 'invoice.customer_snapshot.address',
      customer_tax_id: 'invoice.customer_snapshot.tax_id_number',
      seller_name: 'invoice.seller_snapshot.name',
      seller_address: 'invoice.seller_snapshot.address',
      seller_tax_id: 'invoice.seller_snapshot.tax_id_number',
      issued_on: 'invoice.issued_on',
      due_on: 'invoice.due_on',
      supply_on: 'invoice.supply_on',
      prices_include_tax: 'invoice.prices_include_tax',
      currency: 'invoice.currency',
      net_amount: 'invoice.totals.net_amount',
      tax_amount: 'invoice.totals.tax_amount',
      gross_amount: 'invoice.totals.gross_amount',
      lines: {
        path: 'invoice.lines',
        columns: {
          item: 'description',
          quantity: 'quantity',
          unit_amount: 'unit_amount',
          per_quantity: 'per_quantity',
          discount_percent: 'discount_percent',
          amount: 'amount',
        },
      },
      taxes: {
        path: 'invoice.taxes',
        columns: {
          tax: 'code',
          rate: 'rate',
          net_amount: 'net_amount',
          tax_amount: 'tax_amount',
          exemption_reason: 'exemption_reason',
        },
      },
      memo: 'invoice.memo',
    },
  });
}

/** A public form with the fields of the type; each submission creates a document. */
async function addSupplierForm(demo: DemoWorkspace, ctx: Ctx, types: ReadonlyMap<string, string>, project_id: string): Promise<void> {
  const { code, field_schema } = SUPPLIER_INTAKE.type;
  await demo.get(FormsService).create(ctx, {
    slug: SUPPLIER_FORM,
    title: 'Become our supplier',
    description: 'Tell us who you are and what you offer. It takes about five minutes.',
    fields: field_schema,
    project_id,
    success_message: 'Thank you. We have received your application and will write to you within two weeks.',
  });
  await demo.get(TriggersService).create(ctx, {
    name: 'Application for each submitted form',
    event_type: 'form.submitted',
    conditions: [{ path: 'form.slug', op: 'eq', operand: { value: SUPPLIER_FORM } }],
    document_type_id: types.get(code) as string,
    title_template: 'Application of {{form.answers.company_name}}',
    auto_submit: true,
    source_map: Object.fromEntries(Object.keys(field_schema.properties).map((name) => [name, `form.answers.${name}`])),
  });
}

async function createDocument(
  demo: DemoWorkspace,
  as: (name: DemoPerson) => Ctx,
  project_id: string,
  { type, title, by, values, steps = [], obligations = [] }: DocumentSample,
): Promise<void> {
  const { id } = await demo.get(DocumentsService).create(as(by), { project_id, type_code: type, title, data_values: values });
  for (const step of steps) await applyStep(demo, as, by, id, step);
  for (const { dueInDays, side, ...obligation } of obligations) {
    await demo.get(ObligationsService).create(as(by), {
      ...obligation,
      document_id: id,
      responsible: { side, name: null, email: null },
      due_on: new Date(Date.now() + dueInDays * DAY_MS).toISOString().slice(0, 10),
    });
  }
}

async function applyStep(
  demo: DemoWorkspace,
  as: (name: DemoPerson) => Ctx,
  by: DemoPerson,
  id: string,
  step: DocumentStep,
): Promise<void> {
  if ('submit' in step) await demo.get(Submission).submit(as(by), id, step.submit === null ? {} : { comment: step.submit });
  else
    await demo
      .get(WorkflowActions)
      .act(as(step.as), id, { action: step.decide, approver_email: demo.member(step.as).email, comments: step.comment });
}
