import { CommonErrors, type ErrorDetail } from '../../../kit/index.js';
import { recurrenceProblem } from '../model/core/recurrence.js';
import { placedProblems } from '../model/placed/check-placed.js';
import type { PlacedField } from '../model/core/placed-fields.js';
import { checkTemplate, fieldTokensOf, type TemplateNames } from '../engine/content/document-template.js';
import { nestingProblem, unsupportedMarkdown } from '../engine/content/markdown.js';
import { layoutProblems } from './check-layout.js';
import { lifecycleProblems } from './check-lifecycle.js';
import { fieldAt, typeAt } from '../model/core/field-schema.js';
import { eachProperty, schemaProblems } from './check-schema.js';
import { dayProblem, normalizedText } from '../model/core/value-formats.js';
import { operandProblem, operandsOf } from '../model/rules/field-condition.js';
import { recipientProblem } from '../model/rules/sending.js';
import { numberingProblem } from '../model/records/numbering.js';
import type { ApproverDto } from '../model/types/approval-route.dto.js';
import type { TypeDefinition } from '../model/types/type-definition.js';

/** The people and tokens that a definition can name. */
export interface Directory {
  /** Why this member (by id or address) or role cannot approve: there is no such active member or role, or it may not. Null if it can. */
  approverProblem: (approver: ApproverDto) => string | null;
  /** The id of the active member with this id or address, or null. */
  memberId: (ref: string) => string | null;
  /** Whether this is the address of an active member. */
  isMember: (email: string) => boolean;
  /** The tokens of modules. */
  tokens: TemplateNames['tokens'];
}

/** Rejects a definition whose parts contradict each other, listing every problem. */
export async function requireDefinition(definition: TypeDefinition, directory: Directory): Promise<void> {
  const details = definitionProblems(definition, directory);
  // fields are checked against each other once each can be read
  if (details.length === 0) details.push(...(await fieldProblems(definition)));
  if (details.length > 0)
    throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, allowed: details[0].allowed, details });
}

function definitionProblems(definition: TypeDefinition, directory: Directory): ErrorDetail[] {
  const { isMember, tokens } = directory;
  const problems = schemaProblems(definition.field_schema, 'field_schema');
  // the checks below read the schema, so it must be valid
  if (problems.length > 0) return problems;
  const add: AddProblem = (param, message, allowed) =>
    problems.push({ param, code: 'invalid_value', message: `${param} ${message}`, allowed });
  const requireText: RequireText = (path, param, formats = ['string']) => {
    const type = typeAt(definition.field_schema, path);
    if (type === null) add(param, `names ${path}, which is not a field of field_schema`);
    else if (!formats.includes(type)) add(param, `names ${path}, which has the type ${type}, not ${formats.join(' or ')}`);
  };
  if (definition.finalize_on_approval && !definition.requires_approval) add('finalize_on_approval', 'needs requires_approval');
  eachProperty(definition.field_schema, 'field_schema', ({ default: standard, 'x-format': format }, param) => {
    if (format === 'user' && typeof standard === 'string' && !isMember(normalizedText({ type: 'string', 'x-format': format }, standard)))
      add(`${param}.default`, `names ${standard}, who is not an active member`);
  });
  checkRoute(definition, directory, add, requireText);
  if (definition.lifecycle) problems.push(...lifecycleProblems(definition.lifecycle, definition, 'lifecycle'));
  const numbering = definition.numbering && numberingProblem(definition.numbering.pattern, definition.numbering.reset);
  if (numbering) add('numbering.pattern', numbering);
  checkParties(definition, add, requireText);
  checkObligations(definition, add, requireText);
  const recipient = definition.sending && recipientProblem(definition.sending);
  if (recipient) problems.push(recipient);
  const names = { schema: definition.field_schema, parties: definition.signature_parties.map(({ key }) => key), tokens };
  if (definition.layout) problems.push(...layoutProblems(definition.layout, names));
  if (definition.template !== null) {
    const nesting = nestingProblem(definition.template);
    if (nesting !== null) add('template', nesting);
    const unsupported = nesting === null ? unsupportedMarkdown(definition.template) : null;
    if (unsupported !== null) add('template', unsupported);
    for (const { token, line, column, message } of checkTemplate(definition.template, {
      ...names,
      language: definition.language,
      layout: definition.layout,
    }))
      add('template', `line ${line}, column ${column}, ${token}: ${message}`);
  }
  return problems;
}

/** The fields that stand in a template, without their places. */
export function templateFields(definition: Pick<TypeDefinition, 'template' | 'field_schema' | 'signature_parties'>): PlacedField[] {
  return templateTokens(definition).map(({ field: { width: _, ...field } }) => ({ ...field, page: 1, x: 0, y: 0, w: 1, h: 1 }));
}

function templateTokens({ template, field_schema, signature_parties }: Parameters<typeof templateFields>[0]) {
  return fieldTokensOf(template ?? '', { schema: field_schema, parties: signature_parties.map(({ key }) => key) });
}

async function fieldProblems(definition: TypeDefinition): Promise<ErrorDetail[]> {
  const tokens = templateTokens(definition);
  const problems = await placedProblems(templateFields(definition), { parties: definition.signature_parties, pages: 1 }, 'fields');
  return problems.map(({ param, code, message, allowed }) => {
    const [, index, rule] = /^fields\.(\d+)\.(.*)$/.exec(param) as RegExpExecArray;
    const { token, line, column } = tokens[Number(index)].at;
    const text = `line ${line}, column ${column}, ${token}: ${rule}${message.slice(param.length)}`;
    return { param: 'template', code, message: `template ${text}`, allowed };
  });
}

type AddProblem = (param: string, message: string, allowed?: readonly string[]) => void;
type RequireText = (path: string, param: string, types?: readonly string[]) => void;

const ANY_SCALAR = ['string', 'number', 'integer', 'boolean'];

function checkRoute(
  { approval_route, requires_approval, field_schema }: TypeDefinition,
  { approverProblem, memberId }: Directory,
  add: AddProblem,
  requireField: RequireText,
): void {
  if (!approval_route) return;
  if (!requires_approval && approval_route.steps.length > 0) add('approval_route', 'needs requires_approval');
  for (const [index, step] of approval_route.steps.entries()) {
    const at = `approval_route.steps.${index}`;
    if (step.mode === 'quorum' && !step.quorum) add(`${at}.quorum`, 'is required for the mode quorum');
    if (step.mode !== 'quorum' && step.quorum) add(`${at}.quorum`, 'is only for the mode quorum');
    const users = step.approvers.every(({ kind }) => kind === 'user');
    // one member may be named twice, by id and by address
    const different = new Set(step.approvers.map(({ ref }) => memberId(ref ?? '') ?? ref)).size;
    if (step.quorum && users && step.quorum > different)
      add(`${at}.quorum`, `must be at most ${different}, the number of different approvers: each member decides once`);
    if (step.escalate_to && !step.due_in_hours) add(`${at}.escalate_to`, 'needs due_in_hours');
    const named: [string, ApproverDto][] = step.approvers.map((approver, position) => [`${at}.approvers.${position}.ref`, approver]);
    if (step.escalate_to) named.push([`${at}.escalate_to.ref`, step.escalate_to]);
    for (const [param, approver] of named) checkApprover(approver, param, approverProblem, add);
    if (step.condition) {
      requireField(step.condition.field, `${at}.condition.field`, [...ANY_SCALAR, 'array']);
      const operand = operandProblem(step.condition);
      if (operand) add(`${at}.condition.operand`, operand);
      const type = typeAt(field_schema, step.condition.field);
      const isWhole = step.condition.op !== 'contains' && step.condition.op !== 'exists';
      const compared = isWhole && !operand ? operandsOf(step.condition, type) : [];
      const days = compared.map((one) => dayProblem(fieldAt(field_schema, step.condition!.field) ?? {}, one));
      const day = days.find((problem) => problem !== null);
      if (day) add(`${at}.condition.operand`, `must be ${day}`);
      if (type === 'integer' && !operand && operandsOf(step.condition, type).some((one) => typeof one === 'string'))
        add(`${at}.condition.operand`, `must be a whole number without a decimal point, as ${step.condition.field} is`);
    }
  }
}

function checkApprover(approver: ApproverDto, param: string, problemOf: Directory['approverProblem'], add: AddProblem): void {
  const { kind, ref } = approver;
  if (kind === 'manager') return ref ? add(param, 'is not allowed for the kind manager') : undefined;
  if (!ref) return add(param, `is required for the kind ${kind}`);
  const problem = problemOf(approver);
  if (problem !== null) add(param, problem);
}

function checkParties({ signature_parties }: TypeDefinition, add: AddProblem, requireText: RequireText): void {
  for (const [index, { key, name_from, email_from }] of signature_parties.entries()) {
    const at = `signature_parties.${index}`;
    if (signature_parties.findIndex((party) => party.key === key) !== index) add(`${at}.key`, `repeats ${key}`);
    requireText(name_from, `${at}.name_from`);
    requireText(email_from, `${at}.email_from`);
  }
  if (signature_parties.length > 0 && !signature_parties.some(({ required }) => required))
    add('signature_parties', 'must contain a required party');
}

function checkObligations({ obligation_rules }: TypeDefinition, add: AddProblem, requireText: RequireText): void {
  for (const [index, rule] of obligation_rules.entries()) {
    const at = `obligation_rules.${index}`;
    for (const member of ['due_on_from', 'name_from', 'email_from'] as const)
      if (rule[member]) requireText(rule[member], `${at}.${member}`);
    for (const [, path] of rule.title.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)) requireText(path, `${at}.title`, ANY_SCALAR);
    const problem = rule.recurrence ? recurrenceProblem(rule.recurrence) : null;
    if (problem) add(`${at}.recurrence`, problem);
  }
}
