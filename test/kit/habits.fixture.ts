import {
  BadRequestException,
  Body,
  ConflictException,
  Controller,
  createParamDecorator,
  ForbiddenException,
  Get,
  GoneException,
  Header,
  Headers,
  HttpException,
  Injectable,
  InternalServerErrorException,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Req,
  Res,
  Scope,
  ServiceUnavailableException,
  SetMetadata,
  UnauthorizedException,
  UnprocessableEntityException,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
  type OnModuleInit,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Contains, IsIn, Matches } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { CommonErrors, Ctx, defineErrors, DomainModule, Endpoint, Field, partialOf, sql, Store } from '../../src/kit/index.js';

/** A module of a developer who knows Nest but not the kit: the habits that work. Those that do not are in `habit-boots.ts`. */
const EXAMPLE = { description: 'Anything.', example: 'B-WS 100' };

class AnswerDto {
  @Field.constant('answer') object: 'answer';
  @Field.string(EXAMPLE) text: string;
}

/** The codes that Nest's exceptions of other statuses get; a route declares the errors that it answers with. */
const OwnErrors = defineErrors({
  unauthorized: { code: 'unauthorized', type: 'authentication_error', status: 401, message: 'Unauthorized.' },
  gone: { code: 'gone', type: 'invalid_request_error', status: 410, message: 'Gone.' },
  teapot: { code: 'im_a_teapot', type: 'invalid_request_error', status: 418, message: 'A teapot.' },
  unprocessable: { code: 'unprocessable_entity', type: 'invalid_request_error', status: 422, message: 'Unprocessable.' },
});

const answer = (text: string): AnswerDto => ({ object: 'answer', text });
const reads = (operation: string, member = false) =>
  Endpoint({
    scope: 'garages:garage:read',
    operation,
    summary: 'Anything',
    returns: AnswerDto,
    ...(member ? { member: { permission: null } } : {}),
    errors: [CommonErrors.resourceConflict, CommonErrors.permissionDenied, ...Object.values(OwnErrors)],
  });
const writes = (operation: string) =>
  Endpoint({
    scope: 'garages:garage:write',
    operation,
    summary: 'Anything',
    returns: AnswerDto,
  });

/** What a handler throws, by the name in the path. */
const THROWN: Record<string, () => Error> = {
  not_found: () => new NotFoundException('no such vehicle'),
  conflict: () => new ConflictException('the plate is taken'),
  bad_request: () => new BadRequestException('the plate is too short'),
  list: () => new BadRequestException(['plate must be short', 'seats must be even']),
  forbidden: () => new ForbiddenException('not your garage'),
  unauthorized: () => new UnauthorizedException('who are you'),
  gone: () => new GoneException('it was sold'),
  unprocessable: () => new UnprocessableEntityException('the plate is reserved'),
  too_many: () => new HttpException('slow down', 429),
  teapot: () => new HttpException({ reason: 'short and stout' }, 418),
  server_error: () => new InternalServerErrorException('password=secret'),
  unavailable: () => new ServiceUnavailableException('host db-17 is down'),
};

@Controller('api/v1/ext/garages/errors')
class ErrorsController {
  @Get(':name') @reads('throw_error') throws(@Param('name') name: string): AnswerDto {
    throw THROWN[name]();
  }
}

const Roles = (...roles: string[]) => SetMetadata('roles', roles);

@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.getAllAndOverride<string[]>('roles', [context.getHandler(), context.getClass()]);
    const { ctx, query } = context.switchToHttp().getRequest<{ ctx?: Ctx; query?: { role?: string } }>();
    return ctx !== undefined && roles.includes(query?.role ?? 'nobody');
  }
}

@Injectable()
class ClosedGuard implements CanActivate {
  canActivate(): boolean {
    throw new ForbiddenException('the garage is closed');
  }
}

class RoleQuery {
  @Field.string({
    ...EXAMPLE,
    required: false,
  })
  role?: string;
}

@UseGuards(RolesGuard)
@Roles('mechanic')
@Controller('api/v1/ext/garages/guarded')
class GuardedController {
  @Get('by-class') @reads('get_by_class', true) byClass(@Query() _query: RoleQuery): AnswerDto {
    return answer('open');
  }
  @Roles('owner') @Get('by-method') @reads('get_by_method', true) byMethod(@Query() _query: RoleQuery): AnswerDto {
    return answer('open');
  }
  @UseGuards(ClosedGuard) @Roles('nobody') @Get('closed') @reads('get_closed') closed(): AnswerDto {
    return answer('open');
  }
}

@Injectable()
class Loud implements NestInterceptor<AnswerDto, AnswerDto> {
  intercept(_context: ExecutionContext, next: CallHandler<AnswerDto>): Observable<AnswerDto> {
    return next.handle().pipe(map(({ object, text }) => ({ object, text: text.toUpperCase() })));
  }
}

/** Throws once the handler has written, so that the write must be undone. */
@Injectable()
class Strict implements NestInterceptor<AnswerDto, AnswerDto> {
  intercept(_context: ExecutionContext, next: CallHandler<AnswerDto>): Observable<AnswerDto> {
    return next.handle().pipe(
      map((result) => {
        if (/refused/i.test(result.text)) throw CommonErrors.validationFailed({ message: 'refused afterwards' });
        return result;
      }),
    );
  }
}

class SayDto {
  @Field.string({
    ...EXAMPLE,
    maxLength: 50,
  })
  @Contains('!')
  @Matches(/^[^%]*$/, { message: 'no per cent signs' })
  text: string;
  @Field.string({
    ...EXAMPLE,
    required: false,
  })
  @IsIn(['low', 'high'])
  volume?: string;
}
class RepeatDto extends partialOf(SayDto) {
  @Field.object(() => SayDto, {
    description: 'Before.',
    example: undefined,
    required: false,
    list: { maxItems: 3 },
  })
  before?: SayDto[];
}

@UseInterceptors(Strict)
@Controller('api/v1/ext/garages/loud')
class LoudController {
  constructor(private readonly store: Store) {}

  @UseInterceptors(Loud) @Get() @reads('get_loud') read(): AnswerDto {
    return answer('quiet');
  }
  @UseInterceptors(Loud) @Post() @writes('say_loud') write(@Ctx() ctx: Ctx, @Body() { text }: SayDto): Promise<AnswerDto> {
    return this.store.write(ctx, async (tx) => {
      await tx.query(sql.unscoped('the table of a fixture')`INSERT INTO garages_fixture VALUES (${text})`);
      return answer(text);
    });
  }
  @Post('repeat') @writes('repeat_loud') repeat(@Body() { text }: RepeatDto): AnswerDto {
    return answer(text ?? 'nothing');
  }
}

@Injectable({ scope: Scope.REQUEST })
class Counter {
  private count = 0;

  next(): number {
    return ++this.count;
  }
}

@Injectable()
class Started implements OnModuleInit {
  text = 'not started';

  onModuleInit(): void {
    this.text = 'started';
  }
}

const Organization = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return context.switchToHttp().getRequest<{ ctx: Ctx }>().ctx.organizationId;
});

@Controller('api/v1/ext/garages/arguments')
class ArgumentsController {
  constructor(
    private readonly counter: Counter,
    private readonly started: Started,
  ) {}

  @Get('started') @reads('get_started') init(): AnswerDto {
    return answer(this.started.text);
  }
  @Get('counted') @reads('get_counted') counted(): AnswerDto {
    return answer(`${this.counter.next()} ${this.counter.next()}`);
  }
  @Get('seats/:seats') @reads('get_seats') seats(@Param('seats', ParseIntPipe) seats: number): AnswerDto {
    return answer(`${seats + 1}`);
  }
  @Get('header') @reads('get_header') header(@Headers('accept-language') language?: string): AnswerDto {
    return answer(language ?? 'none');
  }
  @Get('request') @reads('get_request') request(@Req() { url }: FastifyRequest): AnswerDto {
    return answer(url);
  }
  @Header('X-Garage', 'open') @Get('reply') @reads('get_reply') reply(@Res({ passthrough: true }) reply: FastifyReply): AnswerDto {
    void reply.header('X-Seats', '4');
    return answer('replied');
  }
  @Get('organization') @reads('get_garage_organization') organization(@Organization() id: string): AnswerDto {
    return answer(id);
  }
}

@DomainModule({
  name: 'garages',
  title: 'Garages',
  guide: 'Garages of a fixture.',
  scopes: { 'garages:garage:read': 'Read garages', 'garages:garage:write': 'Write garages' },
  entities: [],
  controllers: [ErrorsController, GuardedController, LoudController, ArgumentsController],
  providers: [Counter, Started, RolesGuard],
})
export class HabitsModule {}

export const GARAGES_TABLE = 'CREATE TABLE IF NOT EXISTS garages_fixture (text text)';
