import {
  All,
  Body,
  ClassSerializerInterceptor,
  Controller,
  Get,
  HttpCode,
  Inject,
  Injectable,
  Ip,
  Module,
  Next,
  Param,
  ParseUUIDPipe,
  Post,
  Query,
  Redirect,
  Render,
  Res,
  Scope,
  SetMetadata,
  Sse,
  UploadedFile,
  UseFilters,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
  Version,
  type ExceptionFilter,
  type MiddlewareConsumer,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { PartialType } from '@nestjs/swagger';
import { getRepositoryToken, InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { Transform, Type as TypeOf } from 'class-transformer';
import { IsString, Length, registerDecorator } from 'class-validator';
import { Column, DataSource, Entity, Repository } from 'typeorm';
import { BusinessEntity, DomainModule, Endpoint, Field, Id, Job, ResourceDto, type DomainModuleOptions } from '../../src/kit/index.js';

/** Modules of a developer who knows Nest but not the kit, none of which may start. By name; `boot.spec.ts` says why. */
const EXAMPLE = { description: 'Anything.', example: 'x' };
const READ = 'vehicles:vehicle:read';

class VehicleDto extends ResourceDto {
  @Field.constant('vehicle') object: 'vehicle';
}

function endpoint(operation: string): MethodDecorator {
  return Endpoint({ scope: READ, operation, summary: 'Anything', returns: VehicleDto });
}

function IsFree(): PropertyDecorator {
  return (target, propertyName) =>
    registerDecorator({
      target: target.constructor,
      propertyName: propertyName as string,
      async: true,
      validator: { validate: () => Promise.resolve(false) },
    });
}

class PlainDto {
  @Field.string(EXAMPLE) plate: string;
}
class UndeclaredDto {
  @Field.string(EXAMPLE) plate: string;
  @IsString() @Length(3, 9) color: string;
}
class TransformedDto {
  @Transform(({ value }) => String(value).trim()) @Field.string(EXAMPLE) plate: string;
  @TypeOf(() => Number)
  @Field.integer({
    description: 'Seats.',
    example: 4,
  })
  seats: number;
}
class AsynchronousDto {
  @IsFree() @Field.string(EXAMPLE) plate: string;
}
class FieldlessDto {
  @IsString() plate: string;
}
class MappedDto extends PartialType(PlainDto) {}

class EveryError implements ExceptionFilter {
  catch(): void {
    throw new Error('not reached');
  }
}

@Controller('api/v1/ext/vehicles/arguments')
class ArgumentsController {
  @Get('by-query') @endpoint('find_by_query') byQuery(@Query('plate') _plate: string): void {}
  @Post('by-body') @endpoint('find_by_body') byBody(@Body('plate') _plate: string): void {}
  @Get('by-id/:id') @endpoint('find_by_uuid') byId(@Param('id', ParseUUIDPipe) _id: string): void {}
  @Get('by-version/:id') @endpoint('find_by_version') byVersion(@Param('id', new ParseUUIDPipe({ version: '7' })) _id: string): void {}
  @Post('validated') @endpoint('make_validated') validated(@Body(new ValidationPipe({ whitelist: true })) _body: PlainDto): void {}
  @Get('replies') @endpoint('make_reply') replies(@Res() _reply: object): void {}
  @Get('nexts') @endpoint('make_next') nexts(@Next() _next: object): void {}
  @Get('address') @endpoint('get_address') address(@Ip() _address: string): void {}
  @Post('file') @endpoint('send_file') file(@UploadedFile() _file: object): void {}
  @Post('any') @endpoint('make_any') any(@Body() _body: Record<string, unknown>): void {}
}

@UsePipes(new ValidationPipe())
@Controller('api/v1/ext/vehicles/decorated')
class DecoratedController {
  @Get('one') @endpoint('get_piped') piped(@Id() _id: string): void {}
}

@Controller('api/v1/ext/vehicles/more')
class MoreController {
  @UsePipes(ValidationPipe) @Post('one') @endpoint('make_piped') piped(@Body() _body: PlainDto): void {}
  @UseFilters(EveryError) @Get('two') @endpoint('get_filtered') filtered(): void {}
  @HttpCode(202) @Post('three') @endpoint('make_accepted') above(): void {}
  @Post('four') @endpoint('make_done') @HttpCode(202) below(): void {}
  @Redirect('/elsewhere') @Get('six') @endpoint('get_redirected') redirected(): void {}
  @Render('vehicle') @Get('seven') @endpoint('get_rendered') rendered(): void {}
  @Sse('eight') @endpoint('get_stream') streamed(): void {}
  @UseInterceptors(ClassSerializerInterceptor) @Get('five') @endpoint('get_serialized') allowed(): void {}
}

@Controller({
  path: 'api/v1/ext/vehicles/versions',
  version: '2',
})
class VersionsController {
  @Get('one') @endpoint('get_version') version(): void {}
}

@Controller({
  path: 'api/v1/ext/vehicles/routing',
  host: 'vehicles.example.com',
})
class RoutingController {
  @Version('2') @Get('one') @endpoint('get_second') second(): void {}
  @All('two') @endpoint('make_anything') anything(): void {}
  @Get('three/:id') @endpoint('get_params') params(@Param() _params: object): void {}
}

@Controller('api/v1/ext/vehicles/dtos')
class DtosController {
  @Post('one') @endpoint('make_one') undeclared(@Body() _body: UndeclaredDto): void {}
  @Post('two') @endpoint('make_two') transformed(@Body() _body: TransformedDto): void {}
  @Post('three') @endpoint('make_three') asynchronous(@Body() _body: AsynchronousDto): void {}
  @Post('four') @endpoint('make_four') fieldless(@Body() _body: FieldlessDto): void {}
  @Post('five') @endpoint('make_five') mapped(@Body() _body: MappedDto): void {}
}

@Entity('vehicles_habit')
class Vehicle extends BusinessEntity {
  @Column('text') plate: string;
}

/** Stands for the class of @nestjs/config. */
class ConfigService {}

@Injectable()
class RepositoriesService {
  @InjectRepository(Vehicle) readonly vehicles: Repository<Vehicle>;
  constructor(
    @InjectRepository(Vehicle) readonly repository: Repository<Vehicle>,
    @InjectDataSource() readonly one: DataSource,
    readonly other: DataSource,
    readonly config: ConfigService,
  ) {}

  // what @Cron of @nestjs/schedule and @OnEvent of @nestjs/event-emitter declare
  @SetMetadata('SCHEDULER_TYPE', 1) nightly(): void {}
  @SetMetadata('EVENT_LISTENER_METADATA', [{ event: 'vehicle.created' }]) created(): void {}
}

@Injectable({ scope: Scope.REQUEST })
class PerRequest {}

@Job({ name: 'vehicles.count' })
class CountVehicles {
  constructor(@Inject(PerRequest) readonly perRequest: PerRequest) {}
  async run(): Promise<void> {}
}

/** A module of Nest's that a domain module imports for itself. */
@Module({})
class TracingModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(() => undefined).forRoutes('*');
  }
}

function moduleOf(changes: Partial<DomainModuleOptions>, VehiclesModule: Type = class VehiclesModule {}): Type {
  DomainModule({
    name: 'vehicles',
    title: 'Vehicles',
    guide: 'Vehicles.',
    scopes: { [READ]: 'Read' },
    entities: [],
    controllers: [],
    providers: [],
    ...changes,
  })(VehiclesModule);
  return VehiclesModule;
}

export const HABITS: Record<string, () => Type[]> = {
  'arguments of Nest': () => [moduleOf({ controllers: [ArgumentsController] })],
  'decorators of Nest': () => [moduleOf({ controllers: [DecoratedController, MoreController] })],
  'routing of Nest': () => [moduleOf({ controllers: [VersionsController, RoutingController] })],
  'middleware of Nest': () => [
    moduleOf(
      { scopes: {}, imports: [TracingModule] },
      class VehiclesModule {
        configure(consumer: MiddlewareConsumer): void {
          consumer.apply(() => undefined).forRoutes('vehicles');
        }
      },
    ),
  ],
  'DTOs of class-validator and class-transformer': () => [moduleOf({ controllers: [DtosController] })],
  'injections of Nest': () => [
    moduleOf({
      scopes: {},
      entities: [Vehicle],
      providers: [
        { provide: 'vehicles', useClass: RepositoriesService },
        { provide: 'counts', useFactory: () => 1, inject: [DataSource, { token: getRepositoryToken(Vehicle) as string, optional: true }] },
        { provide: APP_GUARD, useValue: { canActivate: () => true } },
        { provide: APP_FILTER, useClass: EveryError },
      ],
    }),
  ],
  'a job per request': () => [moduleOf({ scopes: {}, providers: [PerRequest], jobs: [CountVehicles] })],
};
