import { expect, it } from '@jest/globals';
import { Get, HttpCode, Version } from '@nestjs/common';
import { misplacedDecorator } from './misplaced-decorator.js';

function thrownBy(decorator: unknown): unknown {
  try {
    (decorator as ClassDecorator)(class Trips {});
  } catch (error) {
    return error;
  }
  return undefined;
}

it.each([
  ['@Version', Version('2'), /@Version stands on a class; remove it: versions stand in the path/],
  ['@HttpCode', HttpCode(202), /@HttpCode stands on a class; put it on the method of the route/],
  ['@Get', Get('trips'), /@Get, @Post.* stands on a class; put it on the method/],
])('explains %s on a class', (_, decorator, message) => {
  expect(misplacedDecorator(thrownBy(decorator))).toMatch(message);
});

it('explains it in the bundle, which has no names of files', () => {
  const error = new TypeError("Cannot read properties of undefined (reading 'value')");
  error.stack = `${error.message}\n    at /app/dist/bundle/a.cjs:1:1\n    at DecorateConstructor (/app/dist/bundle/a.cjs:1:2)`;
  expect(misplacedDecorator(error)).toMatch(/@Version.* stands on a class; npm run typecheck says where/);
});

it('says nothing of other errors', () => {
  expect(misplacedDecorator(new TypeError("Cannot read properties of undefined (reading 'value')"))).toBeNull();
  expect(misplacedDecorator(new Error('@Version'))).toBeNull();
});
