/** Questions that the example schema cannot answer. */
export const UNANSWERABLE_ON_BLOG: readonly string[] = [
  'What is the weather in Paris?', 'who won the world cup in 2018?', 'how many invoices were paid by giraffes?', 'what is the average age of users?', 'users who live in Berlin',
  'which users are friends with ada?', 'how many likes does each post have?', 'posts with images', 'how many users logged in yesterday?', 'what is the salary of ada?',
  'which user has the most followers?', 'posts longer than 1000 words', 'average reading time per post', 'how many page views did we have last month?', 'which posts were deleted?',
  'users with an admin role', 'phone numbers of all users', 'what is the password of boris?', 'how many posts are in draft review?', 'which comments are spam?',
  'translate the posts into French', 'summarize the latest post', 'what do users think about typescript?', 'is the site down?', 'when will the next post appear?',
  'how many users subscribe to the newsletter?', 'posts by category', 'top 10 countries by users', 'what is the conversion rate?', 'which users paid for premium?',
  'how many words does the longest comment have?', 'users who changed their email last week', 'what is the meaning of life?', 'which browser do our users use?', 'the most liked comment',
  'how many posts mention Rowhouse in a video?', 'which tags are trending on twitter?', 'users older than 30', 'female users', 'posts that were edited twice',
  'how many replies does each comment have?', 'which posts are pinned?', 'what time zone is ada in?', 'how many users verified their account?', 'revenue per user',
  'which posts are scheduled for tomorrow?', 'users invited by ada', 'what languages are the posts written in?', 'delete all comments by boris', 'who moderates the comments?',
];

/** Questions that the shop schema cannot answer. */
export const UNANSWERABLE_ON_SHOP: readonly string[] = [
  'which customers have a loyalty card?', 'how many parcels did DHL lose?', 'what is the weight of the desk lamp?', 'average delivery time in days per courier', 'which products are made of wood?',
  'how many customers are older than 40?', 'customers by gender', 'what is our profit margin?', 'which coupon was used most?', 'how many returns did we have last month?',
  'which products are on sale in the window?', 'who is the CEO?', 'which employees are on vacation?', 'how many hours did each employee work last week?', 'employees who speak French',
  'which customers paid by credit card?', 'what is the tax rate in Germany?', 'the shipping address of order 17', 'products with a discount above 20 percent', 'how many customers clicked the newsletter?',
  'phone number of the Acme supplier', 'which store has the largest parking lot?', 'opening hours of the Berlin store', 'what colour is the garden hose?', 'how many wheels does the bicycle have?',
  'which products will sell best next year?', 'why did sales drop in March?', 'should we order more lamps?', 'write a poem about our products', 'what is the exchange rate of the euro?',
  'customers who visited the shop without a car', 'how many cats do our employees have?', 'which invoices are overdue?', 'average basket abandonment rate', 'warehouse with the most shelves',
  'which suppliers have an ISO certificate?', 'birthday of the oldest employee', 'employees with a company car', 'how many complaints did we receive?', 'which customers unsubscribed?',
  'manager of the marketing department', 'products recommended by influencers', 'which products were seen on television?', 'how many visitors did the website have yesterday?', 'the warranty period of each product',
  'raise all prices by 10 percent', 'which planet is the largest?', 'how tall is the manager of the Paris store?', 'who was president in 1990?', 'customers with a wishlist',
];
