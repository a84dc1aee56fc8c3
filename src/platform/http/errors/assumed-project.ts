import { DomainError } from '../../../kit/index.js';

/** The error with the key of the default project, if the call sent no project_id and a value was looked for in that project. */
export function namingProject(error: DomainError, assumed: string | null): DomainError {
  const { spec, occurrence, message } = error;
  if (assumed === null || !occurrence.ofProject) return error;
  const why = `the project ${assumed} was assumed, because project_id was not sent`;
  const named = message.endsWith('?') ? `${message} T${why.slice(1)}.` : `${message.replace(/\.$/, '')}; ${why}`;
  return new DomainError(spec, { ...occurrence, message: named });
}
