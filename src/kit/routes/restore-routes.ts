import { Controller, Post, type ExecutionContext, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Ctx } from '../callers/ctx.js';
import { CommonErrors } from '../errors/common-errors.js';
import { Bin } from '../services/bin.js';
import { namesForMembers, RESTORABLE_DAYS, type Restorable } from '../store/restorable.js';
import { isRowKey } from '../store/row-keys.js';
import { Endpoint, Id, type EndpointOptions } from './endpoint.js';
import { argumentsOf, Execution, handlersOf, keyFormatOf, joinPaths, pathOf, queryOf } from './handlers.js';

const RESTORE = '/restore';

/** The operation that restores what another one deletes: `restore_task` for `delete_task`. */
export function restoringOperation(deletedBy: string): string {
  return deletedBy.replace(/^[a-z]+/, 'restore');
}

/**
 * For each resource a controller with one route, `POST <path of the deletion>/restore`. Whoever may delete may restore, and the response is
 * that of the operation which shows the resource.
 */
export function restoreControllers(controllers: readonly Type[], resources: readonly Restorable[]): Type[] {
  const handlers = controllers.flatMap(handlersOf);
  const find = (operation: string) => {
    const found = handlers.find(({ endpoint }) => endpoint.operation === operation);
    if (!found) throw new Error(`restorable names the operation ${operation}, which no controller of the module has.`);
    return found;
  };
  return resources.map((resource) => restoreController(resource, find(resource.deletedBy), find(resource.shownBy)));
}

/** Without this check, what the member says about a misspelt operation would have no effect. */
export function requireOperations(controllers: readonly Type[], member: string, named: readonly string[]): void {
  const known = new Set(controllers.flatMap(handlersOf).map(({ endpoint }) => endpoint.operation));
  const unknown = named.find((operation) => !known.has(operation));
  if (unknown !== undefined) throw new Error(`${member} names the operation ${unknown}, which no controller of the module has.`);
}

type Handler = ReturnType<typeof handlersOf>[number];

/** How members restore a resource. */
export interface MemberRestoring {
  restorable: Restorable;
  operation: string;
  permission: EndpointOptions['permission'];
}

/** The operations with which members restore the resources of a module. */
export function memberRestorings({
  name: module,
  controllers,
  restorable = [],
}: {
  name: string;
  controllers: readonly Type[];
  restorable?: readonly Restorable[];
}): MemberRestoring[] {
  const endpoints = restorable.length === 0 ? [] : controllers.flatMap(handlersOf).map(({ endpoint }) => endpoint);
  return restorable.map((one) => {
    const names = namesForMembers(restoringOperation(one.deletedBy));
    const found = endpoints.find(({ operation, permission }) => permission !== undefined && names.includes(operation));
    if (!found) throw new Error(`${module}: members cannot restore what ${one.deletedBy} deletes, because the operation is for keys only.`);
    return { restorable: one, operation: found.operation, permission: found.permission };
  });
}

function restoreController(resource: Restorable, deletes: Handler, shows: Handler): Type {
  const { scope, permission, member, requiresActor, openWorld } = deletes.endpoint;
  const taken = keyFormatOf(deletes);
  if (taken && !isRowKey(taken)) throw new Error(`${resource.deletedBy} takes a key that is no rowKey, so no key could restore a row.`);
  const keyColumn = taken?.column;
  // only the format: the row is none of the table now
  const key = taken && { pattern: taken.pattern, example: taken.example };
  const name = resource.entity.name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();

  @Controller(joinPaths(pathOf(deletes.controller), pathOf(deletes.method), RESTORE))
  class RestoreController {
    constructor(
      private readonly bin: Bin,
      private readonly modules: ModuleRef,
    ) {}

    @Post()
    @Endpoint({
      scope,
      permission,
      member: member && {
        permission: member.permission,
        path: member.path && joinPaths(member.path, RESTORE),
        operation: member.operation && restoringOperation(member.operation),
      },
      requiresActor,
      openWorld,
      operation: restoringOperation(resource.deletedBy),
      summary: `Restore a deleted ${name}`,
      description: `For ${RESTORABLE_DAYS} days, with all that was deleted with it.`,
      returns: shows.endpoint.returns,
      emits: deletes.endpoint.emits && [...(resource.event ? [resource.event] : []), ...(resource.emits ?? [])],
      errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
    })
    restore(
      @Ctx() ctx: Ctx,
      @Id('id', keyColumn ? `Id or ${keyColumn}.` : `Id of the deleted ${name}.`, key) id: string,
      @Execution() execution: ExecutionContext,
    ): Promise<object> {
      return this.bin.restore(ctx, resource, { id, keyColumn }, () => this.show(execution));
    }

    private async show(execution: ExecutionContext): Promise<object> {
      const query = queryOf(shows);
      const controller = this.modules.get<Record<string, (...args: unknown[]) => Promise<object>>>(shows.controller);
      return controller[shows.handler](...(await argumentsOf(shows, query && (new query() as object), execution)));
    }
  }
  Object.defineProperty(RestoreController, 'name', { value: `Restore${resource.entity.name}Controller` });
  return RestoreController;
}
