import { Injectable, type Type } from '@nestjs/common';
import { validateSync } from 'class-validator';
import { CommonErrors, fieldsOf, type Ctx, type ErrorDetail, type Tx } from '../../../../kit/index.js';
import { LeadSubmissionBody, LeadSubmissions } from '../../../lead-webhook/lead-webhook.public.js';
import { CreateTaskDto, TasksService } from '../../../tasks/tasks.public.js';
import type { BridgeTarget } from './intake-bridge.entity.js';

/** What a bridge made or found. */
export interface Bridged {
  result: 'created' | 'matched' | 'updated';
  record_id: string;
}

const CUSTOM = 'custom_fields.';
/** Where a record belongs is the form's affair. */
const SET_HERE: readonly string[] = ['project_id'];
const BODIES: Record<BridgeTarget, Type> = { lead: LeadSubmissionBody, task: CreateTaskDto };

/** The fields that a bridge of this target may fill, custom fields of leads aside. */
export function targetFields(target: BridgeTarget): string[] {
  return [...fieldsOf(BODIES[target]).keys()].filter((name) => !SET_HERE.includes(name));
}

export function isTargetField(target: BridgeTarget, name: string): boolean {
  return targetFields(target).includes(name) || (target === 'lead' && name.startsWith(CUSTOM) && name.length > CUSTOM.length);
}

/** What is needed of every record, whatever was answered, and that a map does not fill; null when it fills all. */
export function lacking(target: BridgeTarget, names: readonly string[]): string | null {
  const has = (name: string) => names.includes(name);
  if (target === 'task') return has('title') ? null : 'must fill title';
  if (!has('full_name') && !(has('first_name') && has('last_name'))) return 'must fill full_name, or first_name and last_name';
  return has('email') || has('phone') ? null : 'must fill email or phone';
}

/** Hands answers over to other modules, which decide about them as if they had come to them directly. */
@Injectable()
export class BridgeTargets {
  constructor(
    private readonly leads: LeadSubmissions,
    private readonly tasks: TasksService,
  ) {}

  /** Inside the transaction of `ctx`. */
  async carry(ctx: Ctx, tx: Tx, target: BridgeTarget, values: Record<string, unknown>, projectId: string): Promise<Bridged> {
    if (target === 'lead') {
      const { result, lead } = await this.leads.submit(
        ctx,
        shaped(LeadSubmissionBody, { ...withCustomFields(values), project_id: projectId }),
      );
      return { result, record_id: lead.id };
    }
    const task = await this.tasks.createIn(ctx, tx, shaped(CreateTaskDto, { ...values, project_id: projectId }));
    return { result: 'created', record_id: task.id };
  }
}

function withCustomFields(values: Record<string, unknown>): Record<string, unknown> {
  const isCustom = ([name]: [string, unknown]) => name.startsWith(CUSTOM);
  const custom = Object.entries(values)
    .filter(isCustom)
    .map(([name, value]) => [name.slice(CUSTOM.length), value]);
  const plain = Object.fromEntries(Object.entries(values).filter((entry) => !isCustom(entry)));
  return custom.length > 0
    ? { ...plain, custom_fields: { ...(plain.custom_fields as object | undefined), ...Object.fromEntries(custom) } }
    : plain;
}

/** The same rules as for a body that comes over HTTP, which a call within the suite would pass by. */
function shaped<T extends object>(body: Type<T>, values: Record<string, unknown>): T {
  const value = Object.assign(new body(), values);
  const errors = validateSync(value, { stopAtFirstError: true, validationError: { target: false, value: false } });
  const details: ErrorDetail[] = errors.flatMap(({ property, constraints }) =>
    Object.values(constraints ?? {}).map((text) => ({ param: property, code: 'invalid_value', message: `${property} ${text}` })),
  );
  if (details.length > 0) throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, details });
  return value;
}
