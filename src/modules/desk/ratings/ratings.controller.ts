import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { Field, Public, redirect, Visitor, type FileResponse } from '../../../kit/index.js';
import { LONGEST_COMMENT, ratingPage } from './rating.page.js';
import { Ratings } from './ratings.service.js';

class RatingDto {
  @Field.oneOf(['1', '2', '3', '4', '5'], {
    description: 'From 1, very poor, to 5, very good.',
    example: '5',
  })
  score: string;

  @Field.string({
    description: 'A comment.',
    example: 'Fast!',
    minLength: 0,
    maxLength: LONGEST_COMMENT,
    required: false,
  })
  comment?: string;
}

class RatingPageQuery {
  @Field.oneOf(['yes'], {
    description: 'Present after a rating, which the page then confirms.',
    example: 'yes',
    required: false,
  })
  rated?: string;
}

/** The page of a rating's link. Mail scanners follow links, so a GET changes nothing. */
@Controller('/t/:token')
export class RatingsController {
  constructor(private readonly ratings: Ratings) {}

  @Get()
  @Public('The requester of a ticket sees the question by the mailed link')
  async show(@Param('token') token: string, @Query() { rated }: RatingPageQuery): Promise<FileResponse> {
    const { question } = await this.ratings.find(token);
    return ratingPage(question, rated !== undefined && question.score !== null);
  }

  @Post()
  @HttpCode(200)
  @Public('The requester of a ticket rates the help by the mailed link')
  async rate(
    @Param('token') token: string,
    @Body() { score, comment = '' }: RatingDto,
    @Visitor() { requestId }: Visitor,
  ): Promise<FileResponse> {
    await this.ratings.rate(token, Number(score), comment.trim() || null, requestId);
    return redirect(`/t/${token}?rated=yes`);
  }
}
