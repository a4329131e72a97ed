-- What a region provides for each variant, of what not every region does: {"managed": ["encrypted"], "byoc": []}.
ALTER TABLE regions ADD COLUMN options jsonb NOT NULL DEFAULT '{}';
