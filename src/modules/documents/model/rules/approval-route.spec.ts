import { describe, expect, it } from '@jest/globals';
import { definitionOf } from '../types/type-definition.js';
import type { ApprovalStepDto, Operator } from '../types/approval-route.dto.js';
import type { ApprovalRequest } from '../records/approval-request.entity.js';
import type { Decision } from '../records/shown-request.js';
import { firstStep, isSatisfied, nextStep } from './approval-route.js';
import { holds } from './field-condition.js';

const step = (name: string, given: Partial<ApprovalStepDto> = {}): ApprovalStepDto => ({ name, mode: 'any', approvers: [], ...given });
const route = (...steps: ApprovalStepDto[]) => definitionOf({ requires_approval: true, approval_route: { steps } });

describe('a condition', () => {
  it.each<[Operator, unknown, unknown, boolean]>([
    ['eq', 5, 5, true],
    ['eq', '5', 5, false],
    ['ne', 5, 6, true],
    ['ne', undefined, 6, true],
    ['gt', 5, 5, false],
    ['gte', 5, 5, true],
    ['lt', '2026-01-01', '2026-02-01', true],
    ['lte', 'b', 'a', false],
    ['gte', undefined, 0, false],
    ['lt', undefined, 0, false],
    ['gt', '10', 5, false],
    ['in', 'eur', ['eur', 'usd'], true],
    ['in', 'gbp', ['eur'], false],
    ['in', 'eur', 'eur', false],
    ['contains', 'net 30', '30', true],
    ['contains', ['a', 'b'], 'b', true],
    ['contains', 5, 5, false],
    ['exists', 0, true, true],
    ['exists', undefined, true, false],
    ['exists', undefined, false, true],
  ])('%s: %j against %j is %j', (op, value, operand, expected) => {
    expect(holds({ field: 'terms.x', op, operand: { value: operand } }, { terms: { x: value } })).toBe(expected);
  });
});

describe('a route', () => {
  it('skips steps whose condition is false', () => {
    const definition = route(
      step('Small', { condition: { field: 'amount', op: 'lt', operand: { value: 100 } } }),
      step('Legal'),
      step('Board', { condition: { field: 'amount', op: 'gte', operand: { value: 1_000 } } }),
    );
    const names = (amount: number) => {
      const found: string[] = [];
      for (let next = nextStep(definition, { amount }, 0); next; next = nextStep(definition, { amount }, next.index))
        found.push(`${next.index} ${next.name}`);
      return found;
    };
    expect([names(50), names(500), names(5_000)]).toEqual([['1 Small', '2 Legal'], ['2 Legal'], ['2 Legal', '3 Board']]);
  });

  it('always has a first step, because a document that skips all steps must still be approved', () => {
    const never = route(step('Never', { condition: { field: 'x', op: 'eq', operand: { value: 1 } } }));
    for (const definition of [never, route(), definitionOf({ requires_approval: true })])
      expect(firstStep(definition, {})).toMatchObject({ index: 1, name: 'Approval', mode: 'any', approvers: [] });
  });
});

describe('a step', () => {
  const requests = (step_mode: ApprovalRequest['step_mode'], quorum: number | null, ...decisions: Decision[]) =>
    decisions.map((decision, index) => ({ step_mode, quorum, decision, approver_id: `m${index}` }) as ApprovalRequest);
  const everyone = () => true;

  it.each<[string, ApprovalRequest[], boolean]>([
    ['any: none yet', requests('any', null, 'pending', 'pending'), false],
    ['any: one', requests('any', null, 'approved', 'pending'), true],
    ['all: one lacks', requests('all', null, 'approved', 'pending'), false],
    ['all: all', requests('all', null, 'approved', 'approved'), true],
    ['all: one was taken off', requests('all', null, 'approved', 'withdrawn'), true],
    ['quorum: too few', requests('quorum', 2, 'approved', 'pending', 'pending'), false],
    ['quorum: enough', requests('quorum', 2, 'approved', 'approved', 'pending'), true],
    ['quorum above those asked: all of them', requests('quorum', 3, 'approved', 'pending'), false],
    ['quorum above those asked, all given', requests('quorum', 3, 'approved', 'approved'), true],
    ['nobody left to decide, nothing approved', requests('all', null, 'withdrawn'), false],
  ])('%s', (_what, given, expected) => {
    expect(isSatisfied(given, everyone)).toBe(expected);
  });

  it('does not wait for approvers who have left, but never approves without a decision', () => {
    expect(isSatisfied(requests('all', null, 'approved', 'pending'), (id) => id !== 'm1')).toBe(true);
    expect(isSatisfied(requests('all', null, 'pending', 'pending'), () => false)).toBe(false);
  });
});
