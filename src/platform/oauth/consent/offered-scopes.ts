import { Injectable } from '@nestjs/common';
import { connectableModules } from '../../keys/connection-scopes.js';
import { ScopeCatalog } from '../../keys/scope-catalog.js';
import { isDestructive, reachesOutside, RouteRegistry } from '../../registry/route-registry.js';

/** A scope as the consent page shows it. */
export interface OfferedScope {
  scope: string;
  /** What it permits, in words. */
  text: string;
  /** Whether calls with it can delete, replace or end what exists. */
  isDestructive: boolean;
  /** Whether calls with it send mail, ask a model or let outsiders in. */
  reachesOutside: boolean;
  /** The permission that the member lacks to give it; null if they can. */
  lacking: string | null;
}

export interface OfferedModule {
  title: string;
  scopes: OfferedScope[];
}

/** What a client asks for, by module, in words. */
@Injectable()
export class OfferedScopes {
  constructor(
    private readonly catalog: ScopeCatalog,
    private readonly routes: RouteRegistry,
  ) {}

  of(asked: readonly string[], permissions: ReadonlySet<string>): OfferedModule[] {
    return connectableModules(this.catalog).flatMap(({ title, scopes, scopePermissions = {} }) => {
      const offered = Object.entries(scopes)
        .filter(([scope]) => asked.includes(scope))
        .map(([scope, text]): OfferedScope => {
          const ofScope = this.routes.routes.filter(({ endpoint }) => endpoint?.scope === scope);
          const required = scopePermissions[scope];
          return {
            scope,
            text,
            isDestructive: ofScope.some(isDestructive),
            reachesOutside: ofScope.some(reachesOutside),
            lacking: required !== undefined && !permissions.has(required) ? required : null,
          };
        });
      return offered.length === 0 ? [] : [{ title, scopes: offered }];
    });
  }
}
