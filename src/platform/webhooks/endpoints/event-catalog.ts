import { Injectable } from '@nestjs/common';
import { AUDIT_RECORDED } from '../../events/audit-event.js';
import { CommonErrors } from '../../../kit/index.js';
import { ModuleRegistry, type DeclaredEvent } from '../../registry/module-registry.js';
import { suggestion } from '../../registry/near-matches.js';

/** The events that can be sent, by name; without internal events. */
@Injectable()
export class EventCatalog {
  readonly entries: readonly DeclaredEvent[];

  constructor(private readonly modules: ModuleRegistry) {
    this.entries = sentEvents(modules);
  }

  /** Those that a subscription includes. */
  of(types: readonly string[]): DeclaredEvent[] {
    return this.entries.filter(({ definition: { name } }) => subscribesTo(types, name));
  }

  /** Throws unless each is the name of an event, `*`, or `<subject>.*` for a subject that has events. */
  check(param: string, types: readonly string[]): void {
    const names = this.entries.map(({ definition }) => definition.name);
    const subjects = [...new Set(names.map((name) => `${name.split('.')[0]}.*`))];
    const allowed = ['*', ...subjects, ...names];
    const unknown = types.find((type) => !allowed.includes(type));
    if (unknown === undefined) return;
    const isInternal = this.modules.events().some(({ definition: { name } }) => name === unknown);
    const reason = isInternal
      ? 'is an internal event, which only modules and triggers of documents get'
      : `is not an event type${suggestion(unknown, allowed)}`;
    throw CommonErrors.validationFailed({ param, message: `${param}: "${unknown}" ${reason}`, allowed });
  }
}

/**
 * Whether a subscription includes a type: by its name, by `<subject>.*`, or by `*`, which does not include the audit log.
 * The database has the same rule as `webhook_subscribes`.
 */
export function subscribesTo(events: readonly string[], type: string): boolean {
  return events.some((one) => (one === '*' && type !== AUDIT_RECORDED) || one === type || one === `${type.split('.', 1)[0]}.*`);
}

/** By name, without the internal ones. */
export function sentEvents(modules: ModuleRegistry): DeclaredEvent[] {
  return modules
    .events()
    .filter(({ definition }) => !definition.internal)
    .sort((a, b) => a.definition.name.localeCompare(b.definition.name));
}
