import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';

const [, , baseUrl = '', key = ''] = process.argv;

const prepareHeaders = (headers: Headers) => {
  headers.set('Authorization', `Bearer ${key}`);
};

export const emptyApi = createApi({
  baseQuery: fetchBaseQuery({ baseUrl, prepareHeaders }),
  endpoints: () => ({}),
});
