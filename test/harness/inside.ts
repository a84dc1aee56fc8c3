import type { Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { caller } from './remote.js';
import { sourceFile } from './source-file.js';
import type { TestApp } from './test-app.js';

type Functions = Record<string, (...args: unknown[]) => unknown>;

/** `TestApp.inside` for an application in this process. */
export function insideOf(app: NestFastifyApplication): TestApp['inside'] {
  return (file) =>
    caller(async (name, args) => {
      const module = (await import(sourceFile(file))) as Functions;
      return module[name](app, ...args);
    });
}

/** `TestApp.service` for an application in this process. */
export function servicesOf(app: NestFastifyApplication): TestApp['service'] {
  return (name) => caller(async (method, args) => providerOf(app, name)[method](...args));
}

export function providerOf(app: NestFastifyApplication, name: string): Functions {
  const wrappers = [...app.get(ModulesContainer).values()].flatMap(({ providers }) => [...providers.values()]);
  const token = wrappers.find((wrapper) => wrapper.name === name)?.token;
  if (!token) throw new Error(`The application has no provider ${name}.`);
  return app.get(token as Type, { strict: false });
}
