import { Injectable } from '@nestjs/common';
import { CommonErrors } from '../../../kit/index.js';
import { ModuleRegistry, type DeclaredEvent } from '../../registry/module-registry.js';

/** The events that can be sent, by name; without internal events. */
@Injectable()
export class EventCatalog {
  readonly entries: readonly DeclaredEvent[];

  constructor(modules: ModuleRegistry) {
    this.entries = sentEvents(modules);
  }

  /** Throws unless each is the name of an event, `*`, or `<subject>.*` for a subject that has events. */
  check(param: string, types: readonly string[]): void {
    const names = this.entries.map(({ definition }) => definition.name);
    const subjects = [...new Set(names.map((name) => `${name.split('.')[0]}.*`))];
    const allowed = ['*', ...subjects, ...names];
    const unknown = types.find((type) => !allowed.includes(type));
    if (unknown === undefined) return;
    throw CommonErrors.validationFailed({ param, message: `${param}: "${unknown}" is not an event type`, allowed });
  }
}

/** By name, without the internal ones. */
export function sentEvents(modules: ModuleRegistry): DeclaredEvent[] {
  return modules
    .events()
    .filter(({ definition }) => !definition.internal)
    .sort((a, b) => a.definition.name.localeCompare(b.definition.name));
}
