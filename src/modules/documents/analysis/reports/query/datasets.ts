import type { Type } from '@nestjs/common';
import { memberEmail, own, projectDay, sql, table, type Sql } from '../../../../../kit/index.js';
import { ApprovalRequest } from '../../../model/records/approval-request.entity.js';
import { APPROVAL_OUTCOMES, Document } from '../../../model/records/document.entity.js';
import { Obligation, OBLIGATION_SOURCES, OBLIGATION_STATUSES } from '../../../workflow/obligations/obligation.entity.js';
import { PARTY_STATUSES, SignatureParty } from '../../../model/records/signature-party.entity.js';
import { OBLIGATION_KINDS, SIDES } from '../../../model/types/obligation-rule.dto.js';
import { DECISIONS, ROUTINGS } from '../../../model/records/shown-request.js';
import { DOCUMENT_STATES } from '../../../model/core/document-states.js';
import type { ColumnType, ReportColumn } from './columns.js';

export const DATASETS = ['documents', 'obligations', 'approvals', 'signatures'] as const;
export type DatasetName = (typeof DATASETS)[number];

/** A table that reports can query, and the columns they may expose. */
export interface Dataset {
  entity: Type;
  columns: ReadonlyMap<string, ReportColumn>;
}

type Given = [key: string, label: string, type: ColumnType, options?: Partial<ReportColumn>];

/** Each column reads the table column of the same name unless it has an SQL expression. */
function dataset(entity: Type, columns: readonly Given[]): Dataset {
  return {
    entity,
    columns: new Map(columns.map(([key, label, type, options]) => [key, { key, label, type, sql: sql`t.${sql.column(key)}`, ...options }])),
  };
}

const ALWAYS = { always: true };
const COMMON: readonly Given[] = [
  ['id', 'Id', 'uuid', ALWAYS],
  ['project_id', 'Project', 'uuid', ALWAYS],
  ['created_at', 'Created at', 'date_time', ALWAYS],
  ['updated_at', 'Changed at', 'date_time', ALWAYS],
];
const ofDocument = (column: Sql) => ({ sql: sql`(SELECT ${column} FROM ${table(Document)} d WHERE ${own('d')} AND d.id = t.document_id)` });
const OF_DOCUMENT: readonly Given[] = [
  ['document_id', 'Document', 'uuid', ALWAYS],
  ['document_number', 'Document number', 'string', ofDocument(sql`d.number`)],
  ['document_title', 'Document title', 'string', ofDocument(sql`d.title`)],
  ['document_state', 'Document state', 'string', { ...ofDocument(sql`d.state`), values: DOCUMENT_STATES }],
];
/** Must match how the obligation resource computes it: by the current date in the project's time zone. */
const OVERDUE = sql`(t.status = 'pending' AND t.due_on < ${projectDay('t')})`;

/** Of a substitute's decision, the member who was away. */
const IN_PLACE_OF = sql`
  (CASE WHEN t.substitute_id IS NULL THEN ${memberEmail('t', 'in_place_of')} ELSE ${memberEmail('t', 'approver_id')} END)`;

export const DATASET: Record<DatasetName, Dataset> = {
  documents: dataset(Document, [
    ...COMMON,
    ['number', 'Number', 'string'],
    ['title', 'Title', 'string', ALWAYS],
    ['type_code', 'Type', 'string', ALWAYS],
    ['state', 'State', 'string', { ...ALWAYS, values: DOCUMENT_STATES }],
    ['lifecycle_stage', 'Stage', 'string', ALWAYS],
    ['approval_outcome', 'Approval', 'string', { ...ALWAYS, values: APPROVAL_OUTCOMES }],
    ['source_ref', 'Reference', 'string', { sql: sql`COALESCE(t.source_ref ->> 'id', t.source_ref #>> '{}')` }],
    ['created_by', 'Created by', 'string', { sql: sql`t.created_by ->> 'email'` }],
    ['signing_deadline_at', 'Signing deadline', 'date_time'],
    ['valid_until_on', 'Valid until', 'date'],
    ['finalized_at', 'Finalized at', 'date_time'],
    ['executed_at', 'Executed at', 'date_time'],
  ]),
  obligations: dataset(Obligation, [
    ...COMMON,
    ...OF_DOCUMENT,
    ['type_code', 'Type', 'string', ofDocument(sql`d.type_code`)],
    ['title', 'Title', 'string', ALWAYS],
    ['kind', 'Kind', 'string', { ...ALWAYS, values: OBLIGATION_KINDS }],
    ['side', 'Owed by', 'string', { ...ALWAYS, sql: sql`t.responsible_side`, values: SIDES }],
    ['responsible_name', 'Responsible', 'string'],
    ['responsible_email', 'Responsible e-mail', 'string'],
    ['due_on', 'Due on', 'date', ALWAYS],
    ['occurrence', 'Occurrence', 'number', ALWAYS],
    ['status', 'Status', 'string', { ...ALWAYS, values: OBLIGATION_STATUSES }],
    ['overdue', 'Overdue', 'boolean', { ...ALWAYS, sql: OVERDUE }],
    ['source', 'Source', 'string', { ...ALWAYS, values: OBLIGATION_SOURCES }],
    ['completed_at', 'Completed at', 'date_time'],
  ]),
  approvals: dataset(ApprovalRequest, [
    ...COMMON,
    ...OF_DOCUMENT,
    ['type_code', 'Type', 'string', ALWAYS],
    ['round', 'Round', 'number', ALWAYS],
    ['step_index', 'Step', 'number', ALWAYS],
    ['step_name', 'Step name', 'string', ALWAYS],
    ['routing', 'Routing', 'string', { ...ALWAYS, values: ROUTINGS }],
    [
      'approver_email',
      'Approver',
      'string',
      { sql: sql`COALESCE(${memberEmail('t', 'substitute_id')}, ${memberEmail('t', 'approver_id')})` },
    ],
    ['in_place_of', 'In place of', 'string', { sql: IN_PLACE_OF }],
    ['decision', 'Decision', 'string', { ...ALWAYS, values: DECISIONS }],
    ['due_at', 'Due at', 'date_time'],
    ['decided_at', 'Decided at', 'date_time'],
  ]),
  signatures: dataset(SignatureParty, [
    ...COMMON,
    ...OF_DOCUMENT,
    ['type_code', 'Type', 'string', ofDocument(sql`d.type_code`)],
    ['party', 'Party', 'string', { ...ALWAYS, sql: sql`t."key"` }],
    ['label', 'Party label', 'string', ALWAYS],
    ['turn', 'Turn', 'number', ALWAYS],
    ['kind', 'Kind', 'string', { ...ALWAYS, values: ['internal', 'external'] }],
    ['name', 'Name', 'string', ALWAYS],
    ['email', 'E-mail', 'string', ALWAYS],
    ['required', 'Required', 'boolean', ALWAYS],
    ['status', 'Status', 'string', { ...ALWAYS, values: PARTY_STATUSES }],
    ['viewed_at', 'Opened at', 'date_time'],
    ['signed_at', 'Signed at', 'date_time'],
    ['declined_at', 'Declined at', 'date_time'],
    ['decline_reason', 'Reason', 'string'],
  ]),
};
