-- from how many messages on a subscription to alerts of lagging consumers matches; null: from the usual number
ALTER TABLE channel_subscriptions ADD COLUMN consumer_lag_threshold bigint;
