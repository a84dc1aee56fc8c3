import { describeModule } from '../../../test/contract/module/describe-module.js';
import { sharedApp } from '../../../test/harness/hosted-app.js';
import type { SampleContext } from '../../../test/contract/module/module-samples.js';

const AT = '/api/v1/ext/accounting';
const inProject = ({ project }: SampleContext) => ({ project_id: project.id });

const known = new Map<string, Promise<string>>();
/** What is the same in each call. */
function once(what: string, { project, mode }: SampleContext, make: () => Promise<string>): Promise<string> {
  const key = `${what} ${project.id} ${mode}`;
  let value = known.get(key);
  if (!value) known.set(key, (value = make()));
  return value;
}

const accountId = (context: SampleContext, code: string) =>
  once(code, context, async () => {
    const { body } = await context.client.get(`${AT}/accounts?project_id=${context.project.id}`);
    return (body.data as { id: string; code: string }[]).find((account) => account.code === code)!.id;
  });

const entry = async (context: SampleContext) => ({
  ...inProject(context),
  on: '2026-11-02',
  external_id: context.unique(),
  memo: `Entry ${context.unique()}`,
  lines: [
    { account_id: await accountId(context, '1100'), debit_amount: 100 },
    { account_id: await accountId(context, '3000'), credit_amount: 100 },
  ],
});

/** The tax of a project whose invoices name a seller. */
const taxId = (context: SampleContext) =>
  once('tax', context, async () => {
    const seller = { name: 'Acme GmbH', address: 'Berlin' };
    await (await context.workspace.signIn()).patch(`/api/v1/org/accounting/settings/${context.project.id}`, { seller });
    const { body } = await context.client.get(`${AT}/tax-rates?project_id=${context.project.id}`);
    return (body.data as { id: string }[])[0].id;
  });

/** One for all, so that a credit can settle any invoice. */
const customerId = (context: SampleContext) =>
  once('customer', context, async () => {
    const { body } = await context.client.post(`${AT}/customers`, { ...inProject(context), name: 'Nordlys' });
    return body.id as string;
  });

const invoice = async (context: SampleContext) => {
  const lines = [
    { description: 'Consulting', unit_amount: 10_000, tax_id: await taxId(context), account_id: await accountId(context, '4000') },
  ];
  return { ...inProject(context), customer_id: await customerId(context), external_id: context.unique(), lines };
};

const draft = async (context: SampleContext): Promise<string> =>
  (await context.client.post(`${AT}/invoices`, await invoice(context))).body.id as string;

const issued = async (context: SampleContext): Promise<string> => {
  const id = await draft(context);
  await context.client.post(`${AT}/invoices/${id}/issue`);
  return id;
};

const payment = { amount: 1_000, paid_on: '2026-11-02' };
const sentPayment = ({ unique }: SampleContext) => ({ ...payment, reference: unique() });
const paid = async (context: SampleContext): Promise<string> =>
  (await context.client.post(`${AT}/invoices/${await issued(context)}/payments`, payment)).body.id as string;

/** What a customer paid too much, whatever the tax. */
const credit = async (context: SampleContext) => {
  const body = { ...payment, amount: 15_000, excess: 'credit' };
  return { payment_id: (await context.client.post(`${AT}/invoices/${await issued(context)}/payments`, body)).body.id as string };
};

await describeModule(await sharedApp(), 'accounting', {
  resources: {
    '/invoices/{id} create_credit_note': { make: issued },
    '/invoices/{id} record_payment': { make: issued },
    '/invoices/{id} request_invoice_payment': { make: issued },
    '/invoices/{id} apply_credit': { make: issued },
    '/payments/{id}': { make: paid },
  },
  anyMember: { get_org_accounting_settings: 'Configuration that invoices show.' },
  samples: {
    create_customer: (context) => ({ ...inProject(context), name: `Customer ${context.unique()}`, external_id: context.unique() }),
    update_customer: ({ unique }) => ({ name: `Customer ${unique()}` }),
    create_invoice: invoice,
    update_invoice: async (context) => ({ memo: `Memo ${context.unique()}`, lines: (await invoice(context)).lines }),
    void_invoice: () => ({ reason: 'Wrong' }),
    create_credit_note: () => ({ reason: 'Returned' }),
    record_payment: sentPayment,
    request_invoice_payment: () => ({}),
    apply_credit: credit,
    reverse_payment: () => ({ reason: 'Returned' }),
    create_journal_entry: entry,
    reverse_journal_entry: () => ({}),
    get_trial_balance: inProject,
    get_balance_sheet: inProject,
    get_profit_and_loss: inProject,
    get_aged_receivables: inProject,
  },
  // a leak that only these show passes the checks
  unreached: [
    'list_journal_entries source_id',
    'create_journal_entry lines.customer_id',
    'create_customer contact_id',
    'update_customer contact_id',
    'create_credit_note lines.line_id',
    'apply_credit credit_note_id',
    'accounting_period.status closed',
  ],
});
