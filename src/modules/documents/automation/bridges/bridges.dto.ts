import { bothOf, Field, Listing, ListQuery, partialOf, pickOf, ResourceDto, responseOf, shownOf } from '../../../../kit/index.js';
import type { AuditEntry } from '../../model/records/audit-entry.entity.js';
import { BRIDGE_TARGETS, type BridgeTarget, type IntakeBridge } from './intake-bridge.entity.js';
import type { SourceMap } from '../mapping/source-map.js';

const FORM = '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2f10';
const MAP =
  'Sources by field of a lead, named as in the lead webhook, of a task, or of a ticket with requester_email and requester_name (a custom ' +
  'field as "custom_fields.<key>"): a path such as "answers.email"; {"path", "default", "transform"}; or {"const": ...}.';
const EXAMPLE = { full_name: 'answers.name', email: 'answers.email', external_id: 'id' };

/** The request body to create a bridge. */
export class CreateBridgeDto {
  @Field.string({
    description: 'Name.',
    example: 'Applicants become leads',
    maxLength: 100,
  })
  name: string;

  @Field.oneOf(BRIDGE_TARGETS, {
    description:
      'The target: a lead, matched with existing leads like in the lead webhook, a task or a ticket. Each needs its module in the suite.',
    example: 'lead',
  })
  target: BridgeTarget;

  @Field.map({
    description: MAP,
    example: EXAMPLE,
  })
  field_map: SourceMap;

  @Field.boolean({
    description: 'Whether the bridge is active.',
    example: true,
    required: false,
    default: true,
  })
  active?: boolean;
}

/** The merge patch of a bridge; the map is merged by field, null removes one. */
export class UpdateBridgeDto extends partialOf(CreateBridgeDto, { omit: ['target'] }) {}

/** Creates a record of another module from each submission of a form. */
export class BridgeDto extends bothOf(
  ResourceDto,
  shownOf(CreateBridgeDto, { name: true, target: 'Target of the bridge.', field_map: true, active: true }),
) {
  @Field.constant('intake_bridge')
  object: string;

  @Field.uuid({
    description: 'The form.',
    example: FORM,
  })
  form_id: string;

  static from(this: void, bridge: IntakeBridge): BridgeDto {
    return responseOf(BridgeDto, bridge);
  }
}

/** The record of one run of a bridge. */
export class BridgeRunDto extends bothOf(ResourceDto, pickOf(BridgeDto, ['target'])) {
  @Field.constant('intake_bridge_run')
  object: string;

  @Field.uuid({
    description: 'The bridge.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2f20',
  })
  bridge_id: string;

  @Field.uuid({
    description: 'The submission it processed.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2f30',
  })
  submission_id: string;

  @Field.oneOf(['completed', 'failed'], {
    description: 'failed: nothing was created or changed.',
    example: 'completed',
  })
  status: AuditEntry['status'];

  @Field.oneOf(['created', 'matched', 'updated'], {
    description: 'What happened to the record.',
    example: 'created',
    nullable: true,
  })
  result: string | null;

  @Field.uuid({
    description: 'The lead, the task or the ticket.',
    example: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2c10',
    nullable: true,
  })
  record_id: string | null;

  @Field.string({
    description: 'Why it failed.',
    example: 'email or phone is required',
    nullable: true,
    maxLength: 10_000,
  })
  error: string | null;

  static from(this: void, entry: AuditEntry): BridgeRunDto {
    const detail = entry.detail as Pick<BridgeRunDto, 'target' | 'result' | 'record_id' | 'submission_id'>;
    const { target, result, record_id, submission_id } = detail;
    return { ...responseOf(BridgeRunDto, entry), bridge_id: entry.trigger_id as string, submission_id, target, result, record_id };
  }
}

@Listing({
  sort: ['created_at'],
  defaultSort: 'created_at',
})
export class BridgesQuery extends ListQuery {}

@Listing({
  sort: ['created_at'],
  defaultSort: '-created_at',
})
export class BridgeRunsQuery extends ListQuery {}
