import { DomainError } from '../../../kit/index.js';

/** A field that names another row: `stage_id`, `contact_ids.0`, `lines.0.variant_id`. */
const REFERENCE = /_ids?(?:\.\d+)*$/;
/** An error that demands something of the project. */
const OF_PROJECT = /\bof (?:the|the same|that) project\b(?!')/;

/**
 * The error with the key of the default project, if the call sent no project_id and names a row that the project may lack: the caller
 * cannot know otherwise which project was meant.
 */
export function namingProject(error: DomainError, assumed: string | null): DomainError {
  const { spec, occurrence, message } = error;
  const { param = '' } = occurrence;
  if (assumed === null || spec.status !== 400 || param === 'project_id') return error;
  if (!REFERENCE.test(param) && !OF_PROJECT.test(message)) return error;
  const named = `${message.replace(/\.$/, '')}; the project ${assumed} was assumed, because project_id was not sent`;
  return new DomainError(spec, { ...occurrence, message: named });
}
