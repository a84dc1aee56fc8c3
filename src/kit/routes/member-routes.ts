import { Controller, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { Endpoint, endpointOf, type EndpointOptions } from './endpoint.js';
import { joinPaths, pathOf } from './handlers.js';

const KEYED = '/api/v1/ext/';
const PRODUCT = '/api/v1/org/';

type Handler = (...args: unknown[]) => unknown;

/**
 * The controllers of the routes that keyed routes declare for signed-in members (`member`). Each route calls the handler of its
 * keyed route, so both obey the same rules.
 */
export function memberControllers(controllers: readonly Type[]): Type[] {
  return controllers.flatMap((controller) => {
    const prototype = controller.prototype as Record<string, Handler>;
    const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor' && isRoute(prototype[name]));
    return names.some((name) => endpointOf(prototype[name])?.member) ? [memberController(controller, names)] : [];
  });
}

function memberController(controller: Type, names: readonly string[]): Type {
  // arguments, their decorators and the constructor's dependencies are inherited
  @Controller()
  class MemberController extends (controller as Type<object>) {}
  Object.defineProperty(MemberController, 'name', { value: `${controller.name}ForMembers` });
  const prefix = pathOf(controller);
  for (const name of names) {
    const inherited = (controller.prototype as Record<string, Handler>)[name];
    const endpoint = endpointOf(inherited);
    // Swagger finds a handler's arguments by the name of its function; without metadata it is no route
    const handler = {
      [name]: function (this: object, ...args: unknown[]) {
        return inherited.apply(this, args);
      } as Handler,
    }[name];
    const descriptor = { value: handler, writable: true, configurable: true, enumerable: false };
    Object.defineProperty(handler, 'name', { value: name });
    Object.defineProperty(MemberController.prototype, name, descriptor);
    if (!endpoint?.member) continue;
    for (const key of Reflect.getMetadataKeys(inherited) as unknown[])
      Reflect.defineMetadata(key, Reflect.getMetadata(key, inherited), handler);
    const keyedPath = joinPaths(prefix, pathOf(inherited));
    Reflect.defineMetadata(PATH_METADATA, endpoint.member.path ?? keyedPath.replace(KEYED, PRODUCT), handler);
    Endpoint(memberEndpoint(endpoint, endpoint.member))(MemberController.prototype, name, descriptor);
  }
  return MemberController;
}

/** The operation of the route that a keyed route declares for members. */
export function memberOperation({ operation, member }: EndpointOptions): string | undefined {
  // list_tasks: list_org_tasks
  return member && (member.operation ?? operation.replace('_', '_org_'));
}

function memberEndpoint(keyed: EndpointOptions, member: NonNullable<EndpointOptions['member']>): EndpointOptions {
  const { scope, member: _, lookup: __, requiresActor: ___, ...shared } = keyed;
  if (scope === undefined) throw new Error(`${keyed.operation}: only a route with a scope declares "member".`);
  return {
    ...shared,
    permission: member.permission,
    operation: memberOperation(keyed)!,
    description: member.description ?? keyed.description,
  };
}

function isRoute(handler: unknown): boolean {
  return typeof handler === 'function' && Reflect.hasMetadata(METHOD_METADATA, handler);
}
