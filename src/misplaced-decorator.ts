/** The decorators of Nest that read the method below them, by their files. */
const OF_METHODS: Readonly<Record<string, string>> = {
  version: '@Version',
  'http-code': '@HttpCode',
  header: '@Header',
  redirect: '@Redirect',
  render: '@Render',
  sse: '@Sse',
  'request-mapping': '@Get, @Post, @Put, @Patch or @Delete',
};
const MENDS: Readonly<Record<string, string>> = {
  version: 'remove it: versions stand in the path, below /api/v1, and a change adds fields or routes',
};
const IN_BUNDLE =
  'A decorator of methods, such as @Version, @HttpCode or @Get, stands on a class; npm run typecheck says where. ' +
  'Put it on the method of the route, and remove @Version: versions stand in the path, below /api/v1.';
const DECORATOR = /[\\/]decorators[\\/](?:core|http)[\\/]([a-z-]+)\.decorator\.js/;
const IN_SOURCE = /(?:file:\/\/)?([^\s()]*[\\/]src[\\/](?:modules|console|platform|demo)[\\/][^\s():]*:\d+)/;

/**
 * What to say of an error that a module threw while it was loaded because a class has one of Nest's decorators of methods: they read the
 * method, which is undefined, before anything could be checked. Null for any other error.
 */
export function misplacedDecorator(error: unknown): string | null {
  if (!(error instanceof TypeError) || !error.message.includes("undefined (reading 'value')")) return null;
  const name = DECORATOR.exec(error.stack ?? '')?.[1];
  // the bundle has no names of files, but those of reflect-metadata's functions
  if (name === undefined) return /\bDecorateConstructor\b/.test(error.stack ?? '') ? IN_BUNDLE : null;
  if (!Object.hasOwn(OF_METHODS, name)) return null;
  const at = IN_SOURCE.exec(error.stack ?? '')?.[1];
  return `${at ?? 'A class'}: ${OF_METHODS[name]} stands on a class; ${MENDS[name] ?? 'put it on the method of the route'}.`;
}
