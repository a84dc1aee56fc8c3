import { Injectable, Optional, type Type } from '@nestjs/common';
import { fieldsOf, invalid, readFields, validationError, type Ctx, type ErrorDetail, type Tx } from '../../../../kit/index.js';
import { TicketsService, TicketSubmissionBody } from '../../../desk/desk.public.js';
import { LeadSubmissionBody, LeadSubmissions } from '../../../lead-webhook/lead-webhook.public.js';
import { CreateTaskDto, TasksService } from '../../../tasks/tasks.public.js';
import type { FieldSchema } from '../../model/core/field-schema.js';
import { FormSubmissionDto } from '../forms/forms.dto.js';
import { valueTypeAt, answerType } from '../mapping/event-paths.js';
import { literalsOf, sourceOf, type Source, type SourceMap } from '../mapping/source-map.js';
import { mappingProblem, valueTypeOf } from '../mapping/value-types.js';
import { BRIDGE_TARGETS, type BridgeTarget } from './intake-bridge.entity.js';

/** The record that a bridge created or matched. */
export interface Bridged {
  result: 'created' | 'matched' | 'updated';
  record_id: string;
}

const CUSTOM = 'custom_fields.';
/** Fields that the form sets and a bridge must not map. */
const SET_HERE: readonly string[] = ['project_id'];
/** The event that bridges read. */
const SUBMITTED = { type: 'form.submitted', payload: FormSubmissionDto };
const BODIES: Record<BridgeTarget, Type> = { lead: LeadSubmissionBody, task: CreateTaskDto, ticket: TicketSubmissionBody };

/** The fields that a bridge to this target may fill, not counting the custom fields that it can name. */
export function targetFields(target: BridgeTarget): string[] {
  return [...fieldsOf(BODIES[target]).keys()].filter((name) => !SET_HERE.includes(name));
}

export function isTargetField(target: BridgeTarget, name: string): boolean {
  return targetFields(target).includes(name) || (name.startsWith(CUSTOM) && name.length > CUSTOM.length);
}

/** Why a map could never create a record: a required field that it does not fill, or a value that the field rejects. */
export function mapFaults(target: BridgeTarget, map: SourceMap, answers: FieldSchema): ErrorDetail[] {
  const names = new Set(Object.keys(map));
  const required = [...fieldsOf(BODIES[target])].filter(([name, spec]) => (spec.required ?? true) && !SET_HERE.includes(name));
  const missing = required.filter(([name]) => !names.has(name)).map(([name]) => name);
  const lacking = missing.length > 0 ? `must fill ${missing.join(' and ')}` : target === 'lead' ? lackingOfLead(names) : null;
  const literals = literalsOf(map);
  const rejected = readFields(BODIES[target], withCustomFields(literals)).faults.filter(
    ({ param = '' }) => Object.hasOwn(literals, param) || (Object.hasOwn(literals, param.split('.')[0]) && !Object.hasOwn(map, param)),
  );
  return [
    ...(lacking === null ? [] : [faultOf('field_map', lacking)]),
    ...rejected.map(({ message, ...fault }) => ({ ...fault, param: `field_map.${fault.param}`, message: `field_map.${message}` })),
    ...Object.entries(map).flatMap(([name, source]) => pathFaults(target, name, source, answers)),
  ];
}

function pathFaults(target: BridgeTarget, name: string, source: Source, answers: FieldSchema): ErrorDetail[] {
  const { path } = sourceOf(source);
  if (path === undefined) return [];
  const param = `field_map.${name}`;
  const valueType = answerType(answers, path) ?? valueTypeAt(SUBMITTED, path);
  if ('message' in valueType) return [faultOf(param, `names ${path}: ${valueType.message} ${SUBMITTED.type}`, valueType.allowed)];
  const spec = fieldsOf(BODIES[target]).get(name);
  const problem = spec ? mappingProblem(source, valueType, { ...valueTypeOf(spec), readsText: true }) : null;
  return problem === null ? [] : [faultOf(param, problem)];
}

function faultOf(param: string, message: string, allowed?: readonly string[]): ErrorDetail {
  return { param, code: 'invalid_value', message: `${param} ${message}`, allowed };
}

function lackingOfLead(names: ReadonlySet<string>): string | null {
  if (!names.has('full_name') && !(names.has('first_name') && names.has('last_name')))
    return 'must fill full_name, or first_name and last_name';
  return names.has('email') || names.has('phone') ? null : 'must fill email or phone';
}

/** What creates the records of a target; undefined if the suite does not have its module. */
interface Services {
  lead?: LeadSubmissions;
  task?: TasksService;
  ticket?: TicketsService;
}

/** Passes answers to other modules, which validate them like a direct request. */
@Injectable()
export class BridgeTargets {
  private readonly services: Services;

  constructor(@Optional() lead?: LeadSubmissions, @Optional() task?: TasksService, @Optional() ticket?: TicketsService) {
    this.services = { lead, task, ticket };
  }

  /** Rejects a target whose module the suite does not have. */
  requireOffered(target: BridgeTarget): void {
    this.serviceOf(target);
  }

  /** Rejects a map whose constants the target never accepts in this project, such as a status that does not exist. */
  async requireAcceptable(ctx: Ctx, tx: Tx, target: BridgeTarget, map: SourceMap, projectId: string): Promise<void> {
    const open = Object.keys(map).filter((name) => sourceOf(map[name]).path !== undefined);
    const values: Record<string, unknown> = { ...examplesOf(target, open), ...withCustomFields(literalsOf(map)) };
    if (target === 'lead') await this.serviceOf('lead').requireAcceptable(tx, projectId, values as LeadSubmissionBody, open);
    else if (target === 'ticket') await this.serviceOf('ticket').requireAcceptable(tx, projectId, values, open);
    else await this.serviceOf('task').requireAcceptable(ctx, tx, projectId, values as Partial<CreateTaskDto>, open);
  }

  /** Runs in the transaction `tx`. */
  async createTarget(ctx: Ctx, tx: Tx, target: BridgeTarget, values: Record<string, unknown>, projectId: string): Promise<Bridged> {
    const body = { ...withCustomFields(values), project_id: projectId };
    if (target === 'lead') {
      const { result, lead } = await this.serviceOf('lead').submit(ctx, validated(LeadSubmissionBody, body));
      return { result, record_id: lead.id };
    }
    if (target === 'ticket') {
      const ticket = await this.serviceOf('ticket').submit(ctx, tx, validated(TicketSubmissionBody, body));
      return { result: 'created', record_id: ticket.id };
    }
    const task = await this.serviceOf('task').createIn(ctx, tx, validated(CreateTaskDto, body));
    return { result: 'created', record_id: task.id };
  }

  private serviceOf<T extends BridgeTarget>(target: T): NonNullable<Services[T]> {
    const service = this.services[target];
    if (service) return service;
    const offered = BRIDGE_TARGETS.filter((each) => this.services[each]);
    throw invalid('target', `cannot be ${target}, as the suite has no module for it`, offered);
  }
}

/** Example values for texts whose content is not known yet. */
function examplesOf(target: BridgeTarget, names: readonly string[]): Record<string, unknown> {
  const fields = fieldsOf(BODIES[target]);
  return Object.fromEntries(names.flatMap((name) => (fields.get(name)?.kind === 'string' ? [[name, fields.get(name)?.example]] : [])));
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

/** Applies the validation of HTTP bodies, which an in-process call would otherwise bypass; a blank answer leaves a required field out. */
function validated<T extends object>(body: Type<T>, values: Record<string, unknown>): T {
  const { value, faults } = readFields(body, values);
  if (faults.length > 0) throw validationError(faults);
  return value;
}
