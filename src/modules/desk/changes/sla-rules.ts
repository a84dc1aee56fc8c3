import type { ClockRules } from '../clocks/ticket-clocks.js';
import type { ProjectDesk } from '../config/desk-config.js';
import type { DeskSlaPolicy } from '../model/sla-policy.entity.js';
import { priorityOf } from '../model/values.js';

/** The policy that applies to a ticket, and its targets. */
export interface AppliedPolicy {
  sla_policy_id: string;
  business_hours_id: string | null;
  rules: ClockRules;
}

/** The first active policy whose queues and tags match; null if none does. */
export function appliedPolicy(
  { policies, hours }: ProjectDesk,
  { queue_id, tags, priority }: { queue_id: string; tags: readonly string[]; priority: number },
): AppliedPolicy | null {
  const policy = policies.find((one) => one.active && matches(one, queue_id, tags));
  if (!policy) return null;
  const { id, business_hours_id, targets, pause_on_hold } = policy;
  return {
    sla_policy_id: id,
    business_hours_id,
    rules: {
      targets: targets[priorityOf(priority)],
      hours: business_hours_id === null ? null : (hours.get(business_hours_id) ?? null),
      pauseOnHold: pause_on_hold,
    },
  };
}

function matches({ queue_ids, tags: wanted }: DeskSlaPolicy, queueId: string, tags: readonly string[]): boolean {
  return (queue_ids.length === 0 || queue_ids.includes(queueId)) && (wanted.length === 0 || wanted.some((tag) => tags.includes(tag)));
}
