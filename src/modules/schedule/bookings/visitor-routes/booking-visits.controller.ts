import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Public, Visitor, type FileResponse } from '../../../../kit/index.js';
import { BookingVisits } from './booking-visits.service.js';
import { BookFormBody, ChoiceQuery, ChosenQuery, MoveFormBody } from './visits.dto.js';

const CALLS_PER_MINUTE = 10;

/** The public pages of booking pages, and of bookings by their guests' links. */
@Controller('/b')
export class BookingVisitsController {
  constructor(private readonly visits: BookingVisits) {}

  @Get(':slug')
  @Public('Anyone with its address may see the free times of a booking page')
  choose(@Param('slug') slug: string, @Query() query: ChoiceQuery): Promise<FileResponse> {
    return this.visits.choose(slug, query);
  }

  @Get(':slug/book')
  @Public('Anyone may fill in the form of a booking page')
  form(@Param('slug') slug: string, @Query() query: ChosenQuery): Promise<FileResponse> {
    return this.visits.form(slug, query);
  }

  @Post(':slug/book')
  @HttpCode(200)
  @Public('Anyone may book a time; bookings are limited per IP address and per guest', { callsPerMinute: CALLS_PER_MINUTE })
  book(@Param('slug') slug: string, @Body() body: BookFormBody, @Visitor() visitor: Visitor): Promise<FileResponse> {
    return this.visits.book(slug, body, visitor);
  }

  @Get('manage/:token')
  @Public('The guest of a booking may see it by the mailed link')
  show(@Param('token') token: string): Promise<FileResponse> {
    return this.visits.show(token);
  }

  @Post('manage/:token/cancel')
  @HttpCode(200)
  @Public('The guest of a booking may cancel it by the mailed link', { callsPerMinute: CALLS_PER_MINUTE })
  cancel(@Param('token') token: string, @Visitor() visitor: Visitor): Promise<FileResponse> {
    return this.visits.cancel(token, visitor);
  }

  @Get('manage/:token/reschedule')
  @Public('The guest of a booking may see the other free times by the mailed link')
  chooseAnother(@Param('token') token: string, @Query() query: ChosenQuery): Promise<FileResponse> {
    return this.visits.chooseAnother(token, query);
  }

  @Post('manage/:token/reschedule')
  @HttpCode(200)
  @Public('The guest of a booking may move it by the mailed link', { callsPerMinute: CALLS_PER_MINUTE })
  move(@Param('token') token: string, @Body() body: MoveFormBody, @Visitor() visitor: Visitor): Promise<FileResponse> {
    return this.visits.move(token, body, visitor);
  }
}
