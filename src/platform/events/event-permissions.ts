import { Injectable } from '@nestjs/common';
import { ModuleRegistry } from '../registry/module-registry.js';

/** The permission for events of a type that no module declares any more. */
const OF_OWNERS = 'org.owners.manage';

/** The permissions that the content of events requires, as their definitions declare them. */
@Injectable()
export class EventPermissions {
  private readonly byType: ReadonlyMap<string, string | null>;

  constructor(registry: ModuleRegistry) {
    this.byType = new Map(registry.events().map(({ definition }) => [definition.name, definition.permission]));
  }

  /** Null if everyone who may list events may read them. */
  of(type: string): string | null {
    const permission = this.byType.get(type);
    return permission === undefined ? OF_OWNERS : permission;
  }
}
