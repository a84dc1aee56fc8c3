import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sharedApp } from '../harness/hosted-app.js';
import { createTestDatabase } from '../harness/test-database.js';

/** By the names of `habit-boots.ts`: where each habit that would not work is told, and the mend. */
const MENDS: Record<string, RegExp[]> = {
  'arguments of Nest': [
    /^ArgumentsController\.byQuery .*replace @Query\('plate'\) with @Query\(\) and a DTO/,
    /^ArgumentsController\.byBody .*replace @Body\('plate'\) with @Body\(\) and a DTO/,
    /^ArgumentsController\.byId .*replace @Param\('id', ParseUUIDPipe\) with @Id\('id'\)/,
    /^ArgumentsController\.byVersion .*replace @Param\('id', ParseUUIDPipe\) with @Id\('id'\)/,
    /^ArgumentsController\.validated .*remove ValidationPipe/,
    /^ArgumentsController\.replies .*write @Res\(\{ passthrough: true \}\)/,
    /^ArgumentsController\.nexts .*@Next\(\) is not supported/,
    /^ArgumentsController\.address .*inject @Visitor\(\)/,
    /^ArgumentsController\.file .*inject @Uploaded\(\) or @SentFiles\(\)/,
    /^ArgumentsController\.any .*must be a DTO class/,
  ],
  'decorators of Nest': [
    /^DecoratedController\.piped .*remove ValidationPipe/,
    /^MoreController\.piped .*remove ValidationPipe/,
    /^MoreController\.filtered .*remove @UseFilters/,
    /^MoreController\.above .*replace @HttpCode\(202\) with `status: 202` in @Endpoint/,
    /^MoreController\.below .*replace @HttpCode\(202\) with `status: 202` in @Endpoint/,
    /^MoreController\.redirected .*replace @Redirect with `return redirect\('\.\.\.'\)`/,
    /^MoreController\.rendered .*remove @Render/,
    /^MoreController\.streamed .*replace @Sse with @Get/,
  ],
  'routing of Nest': [
    /^VersionsController\.version .*remove @Version/,
    /^RoutingController\.second .*remove @Version/,
    /^RoutingController\.second .*remove `host` of @Controller/,
    /^RoutingController\.anything .*replace the decorator of ALL with @Get, @Post/,
    /^RoutingController\.anything .*remove `host` of @Controller/,
    /^RoutingController\.params .*remove `host` of @Controller/,
    /^RoutingController\.params .*replace @Param\(\) with @Id\('name'\)/,
  ],
  'middleware of Nest': [
    /^VehiclesModule\.configure: middleware .*use @UseGuards or @UseInterceptors/,
    /^TracingModule\.configure: middleware .*use @UseGuards or @UseInterceptors/,
  ],
  'DTOs of class-validator and class-transformer': [
    /^DtosController\.undeclared .*: UndeclaredDto\.color has decorators but no @Field/,
    /^DtosController\.transformed .*: TransformedDto\.plate: decorators of class-transformer have no effect/,
    /^DtosController\.transformed .*: TransformedDto\.seats: decorators of class-transformer have no effect/,
    /^DtosController\.asynchronous .*: AsynchronousDto\.plate has an asynchronous validator/,
    /^DtosController\.fieldless .*: FieldlessDto has no @Field/,
    /^DtosController\.fieldless .*: FieldlessDto\.plate has decorators but no @Field/,
    /^DtosController\.mapped .*: MappedDto has no @Field.* partialOf/,
  ],
  'injections of Nest': [
    /^vehicles: the constructor of RepositoriesService injects the repository of Vehicle, .*: inject Store/,
    /^vehicles: the constructor of RepositoriesService injects TypeORM's DataSource/,
    /^vehicles: the constructor of RepositoriesService injects TypeORM's DataSource/,
    /^vehicles: the constructor of RepositoriesService injects ConfigService/,
    /^vehicles: RepositoriesService\.vehicles injects the repository of Vehicle/,
    /^vehicles: RepositoriesService\.nightly: @Cron, .*@ScheduledJob/,
    /^vehicles: RepositoriesService\.created: @OnEvent .*onInternalEvent/,
    /^vehicles: the factory of counts injects TypeORM's DataSource/,
    /^vehicles: the factory of counts injects the repository of Vehicle/,
    /^vehicles: APP_GUARD would apply to the routes of all modules/,
    /^vehicles: APP_FILTER would apply to the routes of all modules/,
  ],
  'a job per request': [/^the job CountVehicles has another scope than Scope\.DEFAULT/],
};

const app = await sharedApp();
const { bootFailure } = app.inside<typeof import('./module-boots.js')>('test/contract/module-boots.ts');
let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

describe('a habit of Nest that would not work fails the boot', () => {
  test.each(Object.entries(MENDS))('%s', async (modules, mends) => {
    const failure = await bootFailure(modules, database.url);
    expect(failure?.split(/\n- |incorrectly: /).slice(1)).toEqual(mends.map((mend) => expect.stringMatching(mend)));
  });
});
