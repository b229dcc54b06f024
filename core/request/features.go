package request

import "controllerscope/core/kafka"

// UpdateFeatures asks the controller's server to finalize levels of features. Kafka: UpdateFeaturesRequest.
type UpdateFeatures struct {
	Updates []FeatureUpdate
}

// FeatureUpdate finalizes a feature up to a level; a level below 1 with AllowDowngrade deletes it.
type FeatureUpdate struct {
	Feature         string
	MaxVersionLevel int16
	AllowDowngrade  bool
}

// UpdateFeaturesResponse has one result per update, unless Error refuses all of them; Message is Kafka's sentence about Error.
type UpdateFeaturesResponse struct {
	Error   kafka.Error
	Message string
	Results []FeatureResult
}

// FeatureResult is the outcome for one feature; Message is Kafka's sentence.
type FeatureResult struct {
	Feature string
	Error   kafka.Error
	Message string
}

func (UpdateFeatures) Kind() string                    { return "UpdateFeatures" }
func (UpdateFeaturesResponse) Kind() string            { return "UpdateFeatures" }
func (r UpdateFeaturesResponse) TopError() kafka.Error { return r.Error }
