import { describeModule } from '../../../test/kit/describe-module.js';
import { sharedApp } from '../../../test/kit/hosted-app.js';
import type { SampleContext } from '../../../test/kit/module-samples.js';

const AT = '/api/v1/ext/accounting';
const inProject = ({ project }: SampleContext) => ({ project_id: project.id });

async function accountId({ client, project }: SampleContext, code: string): Promise<string> {
  const { body } = await client.get(`${AT}/accounts?project_id=${project.id}`);
  return (body.data as { id: string; code: string }[]).find((account) => account.code === code)!.id;
}

const entry = async (context: SampleContext) => ({
  ...inProject(context),
  on: '2026-11-02',
  memo: `Entry ${context.unique()}`,
  lines: [
    { account_id: await accountId(context, '1100'), debit_amount: 100 },
    { account_id: await accountId(context, '3000'), credit_amount: 100 },
  ],
});

await describeModule(await sharedApp(), 'accounting', {
  samples: {
    create_customer: (context) => ({ ...inProject(context), name: `Customer ${context.unique()}` }),
    update_customer: ({ unique }) => ({ name: `Customer ${unique()}` }),
    create_journal_entry: entry,
    reverse_journal_entry: () => ({}),
    get_trial_balance: inProject,
    get_balance_sheet: inProject,
    get_profit_and_loss: inProject,
    get_aged_receivables: inProject,
  },
});
