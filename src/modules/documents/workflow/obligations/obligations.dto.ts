import {
  ActorDto,
  bothOf,
  dayIn,
  Field,
  Filter,
  Listing,
  ListQuery,
  partialOf,
  ResourceDto,
  responseOf,
  shownOf,
  currentTime,
} from '../../../../kit/index.js';
import { OBLIGATION_KINDS, SIDES } from '../../model/types/obligation-rule.dto.js';
import {
  OBLIGATION_SOURCES,
  OBLIGATION_STATUSES,
  type Obligation,
  type ObligationKind,
  type ObligationSource,
  type ObligationStatus,
  type Side,
} from './obligation.entity.js';

const DOCUMENT = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c20';

/** The person responsible for an obligation. */
export class ResponsibleDto {
  @Field.oneOf(SIDES, {
    description: 'The side that must fulfill it.',
    example: 'counterparty',
  })
  side: Side;

  @Field.string({
    summary: true,
    description: 'Name.',
    example: 'Ada Lovelace',
    required: false,
    nullable: true,
  })
  name: string | null;

  @Field.email({
    description: 'E-mail address for reminders.',
    example: 'ada@example.com',
    required: false,
    nullable: true,
  })
  email: string | null;
}

/** Request to create an obligation. */
export class CreateObligationDto {
  @Field.uuid({
    summary: true,
    description: 'Document that it belongs to.',
    example: DOCUMENT,
  })
  document_id: string;

  @Field.string({
    summary: true,
    description: 'What must be done.',
    example: 'Yearly fee for Acme',
  })
  title: string;

  @Field.oneOf(OBLIGATION_KINDS, {
    description: 'Kind of obligation.',
    example: 'payment',
    required: false,
    default: 'other',
  })
  kind?: ObligationKind;

  @Field.object(() => ResponsibleDto, {
    summary: 'if_short',
    description: 'The person responsible for it.',
    example: undefined,
  })
  responsible: ResponsibleDto;

  @Field.date({
    summary: true,
    description: 'Due date; for a recurring obligation, the first one.',
    example: '2026-12-21',
  })
  due_on: string;

  @Field.string({
    description: 'RRULE with FREQ, INTERVAL, COUNT, UNTIL.',
    example: 'FREQ=YEARLY;COUNT=3',
    required: false,
    nullable: true,
  })
  recurrence?: string | null;

  @Field.integer({
    description: 'Numbers of days before the due date on which reminders are mailed.',
    example: [30, 7],
    minimum: 0,
    maximum: 365,
    required: false,
    default: [],
    list: { maxItems: 10 },
  })
  reminder_days?: number[];
}

/** An obligation under a document. */
export class ObligationDto extends bothOf(
  ResourceDto,
  shownOf(CreateObligationDto, {
    document_id: true,
    title: true,
    kind: true,
    responsible: true,
    due_on: 'Due date.',
    recurrence: 'RRULE of a recurring obligation, otherwise null.',
    reminder_days: true,
  }),
) {
  @Field.constant('obligation')
  object: string;

  @Field.uuid({
    description: 'Project of the document.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10',
  })
  project_id: string;

  @Field.uuid({
    description: 'Id that all occurrences of a recurring obligation share.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2d10',
  })
  series_id: string;

  @Field.integer({
    description: 'Position in the series, from 1.',
    example: 1,
    minimum: 1,
  })
  occurrence: number;

  @Field.oneOf(OBLIGATION_STATUSES, {
    summary: true,
    description: 'proposed until a member confirms it; pending until it is completed, waived by a member, or cancelled with its document.',
    example: 'pending',
  })
  status: ObligationStatus;

  @Field.boolean({
    description: "Whether it is pending and its due date has passed, in the project's time zone.",
    example: false,
  })
  overdue: boolean;

  @Field.oneOf(OBLIGATION_SOURCES, {
    description: 'manual: created by a member; rule: created by a rule of the type; ai: found in the text by a summary.',
    example: 'rule',
  })
  source: ObligationSource;

  @Field.dateTime({
    description: 'When it was completed, UTC.',
    example: null,
    nullable: true,
  })
  completed_at: string | null;

  @Field.object(() => ActorDto, {
    description: 'Who completed it.',
    example: undefined,
    nullable: true,
  })
  completed_by: ActorDto | null;

  static from(this: void, obligation: Obligation, timeZone: string): ObligationDto {
    const { responsible_side: side, responsible_name: name, responsible_email: email, status, due_on } = obligation;
    return {
      ...responseOf(ObligationDto, obligation),
      responsible: { side, name, email },
      overdue: status === 'pending' && due_on < dayIn(timeZone, currentTime()),
    };
  }
}

/** What a member states when confirming a proposal; what is left out stays as proposed. */
export class ConfirmObligationDto extends partialOf(CreateObligationDto, { omit: ['document_id', 'recurrence'] }) {}

/** The reason for waiving or cancelling an obligation. */
export class EndObligationDto {
  @Field.string({
    description: 'Reason, recorded in the audit trail of the document.',
    example: 'Paid with the order before.',
    maxLength: 2_000,
    required: false,
    nullable: true,
  })
  reason?: string | null;
}

const SORT = { sort: ['due_on', 'created_at', 'updated_at'], defaultSort: 'due_on' };

/** The filters of list_document_obligations. */
@Listing(SORT)
export class DocumentObligationsQuery extends ListQuery {
  @Filter.oneOf(OBLIGATION_STATUSES, {
    description: 'With these statuses.',
    example: ['pending'],
  })
  status?: ObligationStatus[];

  @Filter.custom({
    kind: 'boolean',
    description: 'Pending and past due; false: the others.',
    example: true,
  })
  overdue?: boolean;

  @Filter.from('date', {
    description: 'Due since this day.',
    example: '2026-12-01',
    column: 'due_on',
  })
  due_after?: string;

  @Filter.before('date', {
    description: 'Due before this day.',
    example: '2027-01-01',
    column: 'due_on',
  })
  due_before?: string;

  @Filter.custom({
    kind: 'email',
    description: 'Of this person.',
    example: 'ada@example.com',
    maxLength: 254,
  })
  responsible_email?: string;
}

/** The filters of list_obligations. */
@Listing(SORT)
export class ObligationsQuery extends DocumentObligationsQuery {
  @Filter.uuid({
    description: 'Of these documents.',
    example: [DOCUMENT],
  })
  document_id?: string[];

  @Filter.uuid({
    description: 'Of these projects.',
    example: ['0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a10'],
  })
  project_id?: string[];
}
