import { DomainError } from '../../../kit/index.js';
import type { UsedProject } from '../../persistence/transactions/call-context.js';

/** The error with the key of the project in which a value was looked for, if the call sent no project_id. */
export function namingProject(error: DomainError, used: UsedProject | null): DomainError {
  const { spec, occurrence, message } = error;
  if (used === null || !occurrence.ofProject) return error;
  const { key, isAssumed } = used;
  const why = isAssumed ? `the project ${key} was assumed, because project_id was not sent` : `the project is ${key}`;
  const named = message.endsWith('?') ? `${message} T${why.slice(1)}.` : `${message.replace(/\.$/, '')}; ${why}`;
  return new DomainError(spec, { ...occurrence, message: named });
}
