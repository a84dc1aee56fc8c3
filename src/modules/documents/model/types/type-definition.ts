import { definedOf } from '../../../../kit/index.js';
import type { ApprovalStepDto } from './approval-route.dto.js';
import type { LayoutDto } from './layout.dto.js';
import type { TypeDefinitionDto } from './type-definition.dto.js';

/** A definition with every default filled in by `definitionOf`, as stored. */
export type TypeDefinition = TypeDefinitionDto;

/** A definition as a caller sends it: every part is optional. */
export type DefinitionInput = Partial<TypeDefinitionDto>;

/** Fills in the defaults. Parts missing in `input` are taken from `current`. */
export function definitionOf(input: DefinitionInput, current: TypeDefinition = EMPTY): TypeDefinition {
  const merged: TypeDefinition = { ...current, ...definedOf(input) };
  return {
    ...merged,
    // versions from before types had a language lack it
    language: merged.language ?? 'en',
    layout: merged.layout ? layoutOf(merged.layout) : null,
    retention_days: merged.retention_days ?? null,
    sending: merged.sending ?? null,
    approval_route: merged.approval_route && { steps: merged.approval_route.steps.map(stepOf) },
    lifecycle: merged.lifecycle && {
      stages: merged.lifecycle.stages,
      transitions: merged.lifecycle.transitions.map((transition) => ({ ...transition, roles: transition.roles ?? [] })),
    },
    numbering: merged.numbering && {
      ...merged.numbering,
      reset: merged.numbering.reset ?? 'never',
      gapless: merged.numbering.gapless ?? false,
      assign_at: merged.numbering.gapless ? 'finalize' : (merged.numbering.assign_at ?? 'create'),
    },
    signature_parties: merged.signature_parties.map((party) => ({
      ...party,
      order: party.order ?? 1,
      kind: party.kind ?? 'external',
      required: party.required ?? true,
      auth: party.auth ?? 'link',
      may_delegate: party.may_delegate ?? false,
    })),
    obligation_rules: merged.obligation_rules.map((rule) => ({
      ...rule,
      due_on_from: rule.due_on_from ?? null,
      due_after_days: rule.due_after_days ?? 0,
      recurrence: rule.recurrence ?? null,
      name_from: rule.name_from ?? null,
      email_from: rule.email_from ?? null,
      reminder_days: rule.reminder_days ?? [],
    })),
  };
}

/** Fills in the defaults. */
export function layoutOf(layout: Partial<LayoutDto>): LayoutDto {
  const { paper = 'a4', width_mm = null, height_mm = null, landscape = false, currency = 'code' } = layout;
  const { margin_top_mm = null, margin_right_mm = null, margin_bottom_mm = null, margin_left_mm = null } = layout;
  const { header = null, footer = null, first_header = null, first_footer = null } = layout;
  const margins = { margin_top_mm, margin_right_mm, margin_bottom_mm, margin_left_mm };
  return { paper, width_mm, height_mm, landscape, ...margins, header, footer, first_header, first_footer, currency };
}

function stepOf(step: ApprovalStepDto): ApprovalStepDto {
  const approver = ({ kind, ref = null }: ApprovalStepDto['approvers'][number]) => ({ kind, ref });
  return {
    ...step,
    approvers: step.approvers.map(approver),
    quorum: step.quorum ?? null,
    condition: step.condition ?? null,
    due_in_hours: step.due_in_hours ?? null,
    escalate_to: step.escalate_to ? approver(step.escalate_to) : null,
  };
}

const EMPTY: TypeDefinition = {
  field_schema: { type: 'object', properties: {} },
  requires_approval: false,
  finalize_on_approval: false,
  allow_self_approval: false,
  require_decision_comment: false,
  approval_route: null,
  lifecycle: null,
  numbering: null,
  signature_parties: [],
  signing_days: null,
  sending: null,
  obligation_rules: [],
  language: 'en',
  ai_auto_run: [],
  validity_months: null,
  retention_days: null,
  template: null,
  layout: null,
};
