import { CommonErrors } from './common-errors.js';
import type { DomainError } from './errors.js';

/**
 * 400 `validation_failed` for one field; `message` continues the sentence that its name begins, such as "must be positive".
 *
 * @example
 * ```ts
 * import { invalid } from 'work-suite/kit';
 *
 * throw invalid('color', 'must be a color of the fleet', ['red', 'blue']);
 * ```
 */
export function invalid(param: string, message: string, allowed?: readonly string[]): DomainError {
  return CommonErrors.validationFailed({ param, message: `${param} ${message}`, allowed });
}

/**
 * The same for a value that is none of the project's. If the call named no project and the default one was assumed, the message names that,
 * because the caller cannot know otherwise which project was meant.
 *
 * @example
 * ```ts
 * import { notOfProject } from 'work-suite/kit';
 *
 * throw notOfProject('depot_id', 'must be a depot of the project');
 * ```
 */
export function notOfProject(param: string, message: string, allowed?: readonly string[]): DomainError {
  return CommonErrors.validationFailed({ param, message: `${param} ${message}`, allowed, ofProject: true });
}

/** An error lists the valid choices if there are at most this many. */
const MOST_LISTED = 20;

/**
 * `notOfProject` for an id that is none of the project's choices, which the error lists if they are few, each with its `label`.
 *
 * @example
 * ```ts
 * import { notOneOf } from 'work-suite/kit';
 *
 * const stages = [{ id: '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60', name: 'Open' }];
 * throw notOneOf('stage_id', 'must be a stage of the pipeline', stages, 'name');
 * ```
 */
export function notOneOf<L extends string>(
  param: string,
  message: string,
  choices: readonly ({ id: string } & Readonly<Record<L, string>>)[],
  label: L,
): DomainError {
  if (choices.length === 0 || choices.length > MOST_LISTED) return notOfProject(param, message);
  const labels = choices.map((choice) => `${choice[label]} is ${choice.id}`);
  return notOfProject(
    param,
    `${message}: ${labels.join(', ')}`,
    choices.map(({ id }) => id),
  );
}

/**
 * 409 `resource_conflict` if a project has as many of a kind as it can have.
 *
 * @example
 * ```ts
 * import { requireRoom, type Tx } from 'work-suite/kit';
 * import { Trip } from './trip.entity.js';
 *
 * export const requireRoomForTrip = async (tx: Tx, project_id: string) => requireRoom(await tx.list(Trip, { project_id }), 100, 'trips');
 * ```
 */
export function requireRoom(existing: readonly unknown[], most: number, what: string): void {
  if (existing.length < most) return;
  throw CommonErrors.resourceConflict({ message: `A project can have at most ${most} ${what}; delete one first.` });
}

/**
 * 409 `duplicate` with the id of the row that has the value already; null if the caller must not see that row. Like `notOfProject`, the
 * message names a project that was assumed, unless the value is unique in the whole organization.
 *
 * @example
 * ```ts
 * import { duplicateOf } from 'work-suite/kit';
 *
 * throw duplicateOf('code', 'T-7', '0198c5a0-7c1e-7b3a-9d57-3f4b8f1d2a60');
 * ```
 */
export function duplicateOf(
  param: string,
  value: string,
  existingId: string | null,
  uniqueIn: 'project' | 'organization' = 'project',
): DomainError {
  if (existingId === null) return CommonErrors.duplicate({ param, message: `${param} ${value} exists already in another project.` });
  return CommonErrors.duplicate({
    param,
    message: `${param} ${value} exists already: ${existingId}`,
    ofProject: uniqueIn === 'project',
    extra: { existing_id: existingId },
  });
}
