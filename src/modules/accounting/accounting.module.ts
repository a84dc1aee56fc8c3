import { DomainModule, projectLookup } from '../../kit/index.js';
import { ACCOUNTING_GUIDE } from './accounting.guide.js';
import { AccountingConfig } from './config/accounting-config.service.js';
import { AccountingCustomersController } from './customers/customers.controller.js';
import { AccountingCustomerEvents } from './customers/customers.events.js';
import { AccountingCustomers } from './customers/customers.service.js';
import { CustomersOfDeals, DEAL_WON } from './deals/customers-of-deals.js';
import { AccountingImports } from './imports/imports.service.js';
import { OrgAccountingImportsController } from './imports/org-imports.controller.js';
import { InvoiceDrafts } from './invoices/invoice-drafts.service.js';
import { InvoiceIssue } from './invoices/invoice-issue.service.js';
import { InvoiceNames } from './invoices/invoice-names.service.js';
import { InvoicesController } from './invoices/invoices.controller.js';
import { InvoiceEvents } from './invoices/invoices.events.js';
import { JournalEntriesController } from './ledger/journal-entries.controller.js';
import { JournalEntryEvents } from './ledger/journal-entries.events.js';
import { JournalEntries } from './ledger/journal-entries.service.js';
import { Ledger } from './ledger/ledger.service.js';
import { OrgAccountingDifferencesController } from './jobs/org-differences.controller.js';
import { FindOverdue } from './jobs/overdue.scheduled-job.js';
import { Recount } from './jobs/recount.scheduled-job.js';
import { SendInvoiceReminders } from './jobs/reminders.scheduled-job.js';
import { AccountingLookupsController } from './lookups/lookups.controller.js';
import { AccountingErrors } from './model/accounting.errors.js';
import { LedgerAccount } from './model/account.entity.js';
import { Allocation } from './model/allocation.entity.js';
import { AccountingCustomer } from './model/customer.entity.js';
import { AccountingDifference } from './model/difference.entity.js';
import { AccountingInvoice } from './model/invoice.entity.js';
import { JournalEntry } from './model/journal-entry.entity.js';
import { OrderPosting } from './model/order-posting.entity.js';
import { AccountingPayment } from './model/payment.entity.js';
import { AccountingPeriod } from './model/period.entity.js';
import { InvoiceReminder } from './model/reminder.entity.js';
import { AccountingSettings } from './model/settings.entity.js';
import { InvoiceLineRow, JournalLineRow, MonthBalanceRow } from './model/sql-rows.entity.js';
import { TaxRate } from './model/tax.entity.js';
import { OrgPeriodsController, PeriodsController } from './periods/periods.controller.js';
import { PeriodEvents } from './periods/periods.events.js';
import { HandleInternalEvent } from './orders/handle-internal-event.job.js';
import { OrderBooks } from './orders/order-books.service.js';
import { OrderInvoices } from './orders/order-invoices.service.js';
import { OrgOrderPostingsController } from './orders/org-order-postings.controller.js';
import { ORDER_EVENTS } from './orders/sold-order.js';
import { Periods } from './periods/periods.service.js';
import { AccountBalances } from './reports/account-balances.service.js';
import { AgedReceivables } from './reports/aged-receivables.service.js';
import { AccountingReportsController } from './reports/reports.controller.js';
import { Reports } from './reports/reports.service.js';
import { CreditNotes } from './settlement/credit-notes.service.js';
import { Credits } from './settlement/credits.service.js';
import { PaymentEvents } from './settlement/payments.events.js';
import { Payments } from './settlement/payments.service.js';
import { SettlementController } from './settlement/settlement.controller.js';
import { Settlements } from './settlement/settlements.service.js';
import { OrgAccountingSetupController } from './setup/org-setup.controller.js';
import { AccountingProjectSetup } from './setup/project-setup.js';
import { AccountingSetup } from './setup/setup.service.js';
import { ACCOUNTING_DEMO } from './accounting.demo.js';
import { ACCOUNTING_TRIGGERS } from './accounting.triggers.js';
import { ACCOUNTING_PERSONAL_DATA } from './customers/accounting.personal-data.js';

/**
 * Invoices and books of a project:
 * - `model/` entities, errors and values; `config/` what is configured for a project, read from memory
 * - `lookups/`, `setup/` accounts, taxes and settings, and how they are changed
 * - `ledger/` journal entries; `periods/` months
 * - `customers/` the customers that invoices are addressed to
 * - `invoices/` drafts, issuing, voiding; `settlement/` payments, credits and credit notes
 * - `orders/` invoices of the storefront's orders; `deals/` customers of won deals
 * - `imports/` files of customers, invoices and entries; `jobs/` scheduled jobs and the nightly recount
 * - `reports/` financial reports
 */
@DomainModule({
  name: 'accounting',
  title: 'Accounting',
  guide: ACCOUNTING_GUIDE,
  agentWords: {
    search: {
      payment: 'pay money cheque check transfer euro dollar pound bank',
      list_payment: 'paid came_in come_in incoming got received',
      request_invoice_payment: 'link page remind reminder dun dunning chase nudge',
      record_payment: 'pay paid settled settle received',
      reverse_payment: 'bounce bounced chargeback undo failed',
      invoice: 'bill billing',
      issue_invoice: 'send send_out',
      create_credit_note: 'refund reimburse money_back wrong',
      apply_credit: 'use offset against',
      update_customer: 'address email',
      customer: 'client buyer',
      aged_receivable: 'not_paid overdue unpaid owe owes owed outstanding debt debtor late age who',
      journal_entry: 'ledger booking posting book debit credit expense',
      reverse_journal_entry: 'undo wrong correct',
      void_invoice: 'cancel mistake annul discard scrap withdraw',
      account: 'chart ledger chart_of_accounts bank cash balance',
      tax_rate: 'vat gst percentage percent',
      accounting_period: 'month close closed year_end',
      profit_and_loss: 'p_l income earnings revenue expense margin making_money earn earning loss profitable',
      balance_sheet: 'asset liability equity year_end',
      trial_balance: 'balances account debit credit agree match sum_up',
      create_journal_entry: 'book post salary wage payroll rent accrual depreciation',
      create_invoice: 'bill charge client',
    },
    arguments: { due_date: ['due_on'], deadline: ['due_on', 'due_before'] },
    parties: 'customer',
  },
  scopes: {
    'accounting:invoice:read': 'Read invoices and payments',
    'accounting:invoice:write': 'Create, change, issue, void and credit invoices, and create customers',
    'accounting:payment:write': 'Record and reverse payments, and apply credits',
    'accounting:ledger:read': 'Read journal entries and reports',
    'accounting:ledger:write': 'Post and reverse journal entries',
    'accounting:config:read': 'Read projects, customers, accounts, taxes and months',
  },
  permissions: {
    'accounting.setup.manage': { title: 'Set up accounts, taxes, numbers, reminders and the seller of the accounting', roles: ['admin'] },
    'accounting.invoice.manage': { title: 'See, create, import, issue and void invoices, and record payments', roles: ['admin'] },
    'accounting.ledger.manage': { title: 'See and post journal entries, and see the reports of the accounting', roles: ['admin'] },
    'accounting.period.close': { title: 'Close and reopen the months of the accounting', roles: ['admin'] },
  },
  customFields: 'accounting:config:read',
  apiOnly: [
    {
      names: [
        ['Accounts', 'create_org_account'],
        ['tax rates', 'create_org_tax_rate'],
      ],
      text: 'the chart of accounts, and which tax applies',
    },
    { names: [['Periods', 'create_org_accounting_period']], text: 'months that are open or closed' },
    { names: [['Settings', 'update_org_accounting_settings']], text: 'what invoices need, and the accounts to which the suite posts' },
  ],
  entities: [
    AccountingSettings,
    LedgerAccount,
    TaxRate,
    AccountingPeriod,
    JournalEntry,
    AccountingCustomer,
    AccountingInvoice,
    AccountingPayment,
    Allocation,
    InvoiceReminder,
    AccountingDifference,
    OrderPosting,
    InvoiceLineRow,
    JournalLineRow,
    MonthBalanceRow,
  ],
  personalData: ACCOUNTING_PERSONAL_DATA,
  controllers: [
    projectLookup('/api/v1/ext/accounting/projects', 'list_accounting_projects', {
      scope: 'accounting:config:read',
      member: { permission: null },
    }),
    AccountingLookupsController,
    OrgAccountingSetupController,
    PeriodsController,
    OrgPeriodsController,
    JournalEntriesController,
    AccountingCustomersController,
    InvoicesController,
    SettlementController,
    OrgAccountingImportsController,
    OrgAccountingDifferencesController,
    OrgOrderPostingsController,
    AccountingReportsController,
  ],
  providers: [
    AccountingConfig,
    AccountingSetup,
    AccountingProjectSetup,
    Periods,
    Ledger,
    JournalEntries,
    AccountingCustomers,
    InvoiceDrafts,
    InvoiceIssue,
    InvoiceNames,
    Settlements,
    Payments,
    Credits,
    CreditNotes,
    CustomersOfDeals,
    OrderBooks,
    OrderInvoices,
    AccountingImports,
    AccountBalances,
    Reports,
    AgedReceivables,
  ],
  exports: [Payments],
  errors: AccountingErrors,
  events: { ...AccountingCustomerEvents, ...InvoiceEvents, ...PaymentEvents, ...JournalEntryEvents, ...PeriodEvents },
  triggers: ACCOUNTING_TRIGGERS,
  scheduledJobs: [FindOverdue, SendInvoiceReminders, Recount],
  onInternalEvent: HandleInternalEvent,
  internalEvents: [DEAL_WON, ...ORDER_EVENTS],
  projectSetup: AccountingProjectSetup,
  demo: ACCOUNTING_DEMO,
})
export class AccountingModule {}
